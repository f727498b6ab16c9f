import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { openCluster } from '../../src/embedded/cluster.ts';
import { installedPrograms } from '../../src/embedded/start-embedded.ts';
import { supervise } from '../../src/embedded/supervisor.ts';
import { eventually } from './eventually.ts';
import { ownPort } from './port.ts';

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
