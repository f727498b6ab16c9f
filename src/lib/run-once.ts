import { AsyncLocalStorage } from 'node:async_hooks';

/** Something that is done once, under a key that others may take over when it goes silent. */
export interface RunOnce {
  /**
   * The last statement of each transaction of the run, in which it says that it has committed: it fails where the run has lost
   * its key, and nothing is committed then.
   */
  readonly mark: { readonly name: string; readonly text: string; readonly values: unknown[] };
  /** True once a commit was sent of which nobody heard the end. */
  isInDoubt: boolean;
  /** True from when the run ends: what it began and goes on by itself is no part of it. */
  isOver: boolean;
}

const running = new AsyncLocalStorage<RunOnce>();

/** Runs something as a part of a run. */
export const runAs = <Result>(run: RunOnce, work: () => Result): Result => running.run(run, work);

/** The run that the caller is a part of. */
export function currentRun(): RunOnce | undefined {
  const run = running.getStore();
  return run?.isOver === true ? undefined : run;
}
