import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** kill -9 for every process of the embedded PostgreSQL under `root`, the first one first, so that it starts no others. */
export async function killPostgres(root: string): Promise<void> {
  const [line = ''] = (await readFile(join(root, 'cluster/data/postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${line}/task/${line}/children`, 'utf8');
  for (const pid of [line, ...children.trim().split(' ')]) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it had ended already
    }
  }
}
