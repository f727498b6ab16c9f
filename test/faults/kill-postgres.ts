import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** kill -9 for every process of the embedded PostgreSQL under `root`, the first one first, so that it starts no others. */
export const killPostgres = (root: string): Promise<void> => signalPostgres(root, 'SIGKILL');

/** Has every process of it stand still, as on a machine that hangs: its connections stay, and nothing is answered. */
export const freezePostgres = (root: string): Promise<void> => signalPostgres(root, 'SIGSTOP');

export const thawPostgres = (root: string): Promise<void> => signalPostgres(root, 'SIGCONT');

async function signalPostgres(root: string, signal: NodeJS.Signals): Promise<void> {
  const [line = ''] = (await readFile(join(root, 'cluster/data/postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${line}/task/${line}/children`, 'utf8');
  for (const pid of [line, ...children.trim().split(' ')]) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // it had ended already
    }
  }
}
