import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice` counts: of two threads that want one processor, the other one gets nine tenths. */
const NICENESS = 10;
/** How Node calls the threads of libuv, once they run. */
const THREAD = 'libuv-worker';
const TASKS = '/proc/self/task';

let isDone = false;

/**
 * Has the threads on which passwords are hashed give way to the event loop, and to PostgreSQL beside it, where there are fewer
 * processors than threads that want one: a login takes a little longer then, and nobody else waits for it. It reaches as far as a
 * group of the scheduler does: against a session or a container of its own, e.g. of PostgreSQL, the groups' weights decide. On
 * Linux alone, where a thread has a priority of its own; to be called once they have worked.
 */
export function letThreadsYield(): void {
  if (isDone) return;
  isDone = true;
  try {
    for (const thread of readdirSync(TASKS)) {
      if (readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim() === THREAD) setPriority(Number(thread), NICENESS);
    }
  } catch {
    // Another system, or one that does not let us: they share the processors evenly, as they did.
  }
}
