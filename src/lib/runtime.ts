import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * Collects all garbage and returns its memory to the system. Without it an idle process would keep the garbage of its start for ever.
 * Takes a tenth of a second.
 */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/**
 * Allocates every object in V8's young generation, where garbage collection is cheap. V8 otherwise learns which code allocates long-lived
 * objects. From the few requests after a start it learned that all do, allocated the objects of every request in the old generation, and
 * stopped for 0.2 s every three seconds under load. Call it before any request.
 */
export const disablePretenuring = (): void => setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * From now on collects garbage when the heap has grown by 40 % of its live size. V8 would let it grow to a multiple, and returns no
 * memory under load. For a process that has started: during a start nearly everything stays, and collecting took an eighth of it.
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=40');

/** In units of `nice`: the other of two threads on one processor gets nine tenths of it. */
const NICENESS = 10;
/** The name of libuv's threads. */
const THREAD = 'libuv-worker';
const TASKS = '/proc/self/task';

let isDone = false;

/**
 * Lowers the priority of the threads that hash passwords, so that on busy processors the event loop and PostgreSQL run first: a login
 * takes a little longer, other requests do not. Has no effect across groups of the scheduler, e.g. on PostgreSQL in its own container. On
 * Linux only, where threads have priorities; call it once the threads exist.
 */
export function letThreadsYield(): void {
  if (isDone) return;
  isDone = true;
  try {
    for (const thread of readdirSync(TASKS)) {
      if (readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim() === THREAD) setPriority(Number(thread), NICENESS);
    }
  } catch {
    // Another system, or no permission: the priorities stay equal.
  }
}
