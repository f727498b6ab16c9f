import { setTimeout as passed } from 'node:timers/promises';
import { isCancelled } from './cancelled.ts';
import type { Database } from './database.ts';
import { DomainError } from './domain-error.ts';
import { createSemaphore, type Semaphore, SemaphoreFull } from './semaphore.ts';

/**
 * Runs a read that may take long, on a connection that money never waits for. A caller has one at a time, and where more of
 * theirs wait, the next begins only after as long again as the last one took: however many they send at once, the reads of
 * others are not kept waiting by theirs, and half of the time is left to the money.
 *
 * @param caller e.g. `partner:{id}`
 * @throws DomainError BUSY when too many of this caller's reads wait already, or when the read takes too long
 */
export type ReadLong = <Result>(caller: string, read: (db: Database) => Promise<Result>) => Promise<Result>;

/** Reads of one caller that wait for their turn. Time bounds what waits before this does, unless each is quick. */
const WAITING_MAX = 300;
/** Callers whose next read waits for a connection. */
const CALLERS_WAITING_MAX = 1_000;
/** Whoever has waited so long is told to come again: so many reads before it took too long. */
const WAIT_MAX_MS = 10_000;

/** The longest pause between two reads of one caller. */
const REST_MAX_MS = 1_000;

/** Gives a read a connection of its own. */
type OnOneConnection = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>;

/** The reads of one caller: `size` run or wait. */
interface Turns {
  readonly run: Semaphore;
  size: number;
}

/** @param runningMax reads that run at once */
export function createLongReads(onOneConnection: OnOneConnection, runningMax: number): ReadLong {
  const all = createSemaphore({ runningMax, waitingMax: CALLERS_WAITING_MAX });
  const callers = new Map<string, Turns>();

  /** Answers as soon as the task has ended; its turn lasts longer where more of this caller wait for theirs. */
  async function inTurn<Result>(caller: string, task: () => Promise<Result>): Promise<Result> {
    const turns = callers.get(caller) ?? {
      run: createSemaphore({ runningMax: 1, waitingMax: WAITING_MAX }),
      size: 0,
    };
    callers.set(caller, turns);
    turns.size += 1;
    return new Promise((resolve, reject) => {
      const turn = turns.run(async () => {
        let tookMs = 0;
        await all(async () => {
          const begunAt = performance.now();
          await task().then(resolve, reject);
          tookMs = performance.now() - begunAt;
        });
        if (turns.size > 1) await passed(Math.min(tookMs, REST_MAX_MS));
      });
      void turn.catch(reject).finally(() => {
        turns.size -= 1;
        if (turns.size === 0) callers.delete(caller);
      });
    });
  }

  return async (caller, read) => {
    const askedAt = performance.now();
    try {
      return await inTurn(caller, async () => {
        if (performance.now() - askedAt > WAIT_MAX_MS) throw new SemaphoreFull('waited too long');
        return onOneConnection(read);
      });
    } catch (error) {
      if (error instanceof SemaphoreFull) {
        throw new DomainError('BUSY', 'too many lists are read at once: send the same request again', {
          retryAfterS: 1,
        });
      }
      if (isCancelled(error)) {
        throw new DomainError('BUSY', 'the list took too long to read: send the same request again, or ask for less', {
          retryAfterS: 5,
          cause: error,
        });
      }
      throw error;
    }
  };
}
