import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { openCluster } from '../../src/embedded/cluster.ts';
import { type Embedded, installedPrograms, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { supervise } from '../../src/embedded/supervisor.ts';
import { copyCluster, newDatabaseFolder } from './database.ts';
import { eventually } from './eventually.ts';
import { ownPort } from './process.ts';

const run = promisify(execFile);

/** A hot standby that streams from a primary. */
export interface Standby {
  /** The same database, read there. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Copies the cluster under `root` while it runs, and starts the copy under `target` as a standby of it: by PostgreSQL's low-level
 * interface for base backups, for what npm installs has no pg_basebackup.
 *
 * @see https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function startStandby(root: string, primaryUrl: string, target: string): Promise<Standby> {
  const { initdb, postgres } = await installedPrograms();
  const { data, user } = await openCluster(root, initdb);
  const copy = join(target, 'cluster/data');
  await mkdir(join(target, 'cluster'), { recursive: true });
  const primary = new Client({ connectionString: primaryUrl });
  await primary.connect();
  try {
    await primary.query(`select pg_backup_start('standby', true)`);
    await run('cp', ['-a', data, copy]); // with the owner, who may be another account
    await Promise.all(['postmaster.pid', 'postmaster.opts'].map((file) => rm(join(copy, file), { force: true })));
    const { rows } = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(copy, 'standby.signal'), '');
  } finally {
    await primary.end();
  }
  if (user.account !== undefined) await run('chown', ['-R', `${user.account.uid}:${user.account.gid}`, target]);
  const port = await ownPort();
  const settings = { primary_conninfo: primaryUrl, hot_standby: 'on', wal_receiver_status_interval: '1' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const words = [postgres, '-D', copy, '-h', '127.0.0.1', '-p', String(port), '-k', '', ...flags];
  const server = await supervise(words, user, join(target, 'postgres.log'));
  const url = Object.assign(new URL(primaryUrl), { port: String(port) }).href;
  await eventually(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.end();
  });
  return { url, stop: server.stop };
}

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
