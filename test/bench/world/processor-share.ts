import { mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';

/** Of version 1, where each controller has a tree of its own, and of version 2. */
const TREES = [
  { root: '/sys/fs/cgroup/cpu', limits: (us: number) => ({ 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': us }) },
  { root: '/sys/fs/cgroup', limits: (us: number) => ({ 'cpu.max': `${us} ${PERIOD_US}` }) },
];
/** So short that a request hardly waits for the next one. */
const PERIOD_US = 10_000;

/** Lets each process have a share of a processor from now on. False where this user may make no control group. */
export async function limitProcessors(pids: readonly number[], share: number): Promise<boolean> {
  for (const { root, limits } of TREES) {
    try {
      for (const pid of pids) {
        const group = `${root}/paytag-bench-${pid}`;
        await mkdir(group);
        for (const [name, value] of Object.entries(limits(share * PERIOD_US))) {
          await stat(`${group}/${name}`);
          await writeFile(`${group}/${name}`, String(value));
        }
        await writeFile(`${group}/cgroup.procs`, String(pid));
      }
      return true;
    } catch {
      await forgetLimits(pids);
    }
  }
  return false;
}

/** Removes what was made for processes that have ended. */
export async function forgetLimits(pids: readonly number[]): Promise<void> {
  for (const pid of pids)
    for (const { root } of TREES) await rmdir(`${root}/paytag-bench-${pid}`).catch(() => undefined);
}

/** The processes that a process has started, itself left out. */
export const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
