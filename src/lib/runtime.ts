import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * Collects all garbage, and gives its memory back. Node collects what loading a program has left only when the program needs
 * room, so one that has little to do would keep it for good. It takes a tenth of a second.
 */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/**
 * Has every object begin in the young generation, where collecting garbage is cheap. V8 otherwise learns of each place in the code
 * whether its objects live long. From the few requests after a start it learned that all do. Then it put what every request makes
 * into the old generation, and collected everything every three seconds under load, while all waited for 0.2 s. To be called before
 * any request.
 */
export const allocateYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * From now on collects what nobody uses once as much has come on top as 40 % of what is used; V8 would let it become a multiple
 * first, and hands none of that back while there is load. For a program that has started: all that a start loads stays, and to look
 * for what could go took an eighth of it.
 */
export const collectEarly = (): void => setFlagsFromString('--heap-growing-percent=40');

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
