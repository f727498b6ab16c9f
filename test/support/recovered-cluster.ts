import { execFile } from 'node:child_process';
import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { eventually } from './eventually.ts';
import { copyCluster } from './made-cluster.ts';
import { newDatabaseFolder } from './memory.ts';

const run = promisify(execFile);

/** Where the guide keeps its archive of WAL. */
const ARCHIVE = '/var/backups/wal';

/** Settings of a block of the guide, with the archive where it is. */
const settingsIn = (ini: string, archive: string): Record<string, string> =>
  Object.fromEntries(
    [...ini.replaceAll(ARCHIVE, archive).matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

/** A cluster of its own that archives its WAL, and what was copied of it. */
export interface ArchivedCluster {
  readonly embedded: Embedded;
  /** Copies it while it runs, between two statements of one session. */
  backUp(start: string, stop: string): Promise<void>;
  /** Ends it, once everything is archived. */
  end(): Promise<void>;
  /** Another cluster, made of the copy and the archive. @param ini settings of its recovery */
  recover(ini: string): Promise<Embedded>;
  remove(): Promise<void>;
}

/** Its database is migrated. @param ini settings of archiving */
export async function startArchived(ini: string): Promise<ArchivedCluster> {
  const folder = await newDatabaseFolder('paytag-test-archived-');
  const [home, archive, other] = [join(folder, 'home'), join(folder, 'wal'), join(folder, 'other')];
  await run('mkdir', ['-p', home, archive, join(other, 'cluster')]);
  await run('chmod', ['-R', 'a+rX', folder]);
  await copyCluster(home, 'migrated');
  const data = join(home, 'cluster/data');
  const { uid, gid } = await stat(data);
  await run('chown', [`${uid}:${gid}`, archive]);
  let embedded = await startEmbedded(home, settingsIn(ini, archive));
  const copied = join(other, 'cluster/data');

  return {
    embedded,
    async backUp(start, stop) {
      const client = new Client({ connectionString: embedded.url('postgres') });
      await client.connect();
      await client.query(start);
      await run('cp', ['-a', data, copied]);
      const { rows } = await client.query<{ labelfile: string }>(stop);
      await client.end();
      await rm(join(copied, 'postmaster.pid'));
      for (const file of await readdir(join(copied, 'pg_wal'))) {
        if (/^[0-9A-F]{24}/.test(file)) await rm(join(copied, 'pg_wal', file));
      }
      await writeFile(join(copied, 'backup_label'), rows[0]?.labelfile ?? '');
    },
    async end() {
      const client = new Client({ connectionString: embedded.url('postgres') });
      await client.connect();
      const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
      await eventually(async () => stat(join(archive, rows[0]?.file ?? '')));
      await client.end();
      await embedded.stop();
    },
    async recover(recovery) {
      await cp(join(home, 'runs-as'), join(other, 'runs-as'));
      await run('cp', ['-a', join(home, 'cluster/password'), join(other, 'cluster/password')]);
      await writeFile(join(copied, 'recovery.signal'), '');
      await run('chown', ['-R', `${uid}:${gid}`, copied]);
      embedded = await startEmbedded(other, settingsIn(recovery, archive));
      const client = new Client({ connectionString: embedded.url('postgres') });
      await client.connect();
      await eventually(async () => {
        const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
        if (rows[0]?.recovering !== false) throw new Error('it is still recovering');
      });
      await client.end();
      return embedded;
    },
    async remove() {
      await embedded.stop();
      await rm(folder, { recursive: true });
    },
  };
}
