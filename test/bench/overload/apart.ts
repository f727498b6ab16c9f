import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process with all that it has started, and so on. */
async function familyOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const families = await Promise.all(children.trim().split(' ').filter(Boolean).map(Number).map(familyOf));
  return [pid, ...families.flat()];
}

/**
 * Has this process and those that make the load run on the second processor, and everything else that it has started on the first:
 * what is late then, the server has made late. Linux only.
 */
export async function keepApart(): Promise<void> {
  for (const pid of await familyOf(process.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const isLoad = pid === process.pid || command.includes('/test/bench/');
    await run('taskset', ['-acp', isLoad ? '1' : '0', String(pid)]);
  }
}
