import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withTimeout } from '../clock.ts';
import { DomainError } from '../domain-error.ts';
import { outageLogger } from '../log.ts';
import { createSemaphore, type Semaphore, SemaphoreFull } from '../semaphore.ts';
import type { Database } from './executor.ts';
import { isCancelled } from './failures.ts';
import { gather } from './gathered-reads.ts';
import { preparedText } from './prepared.ts';

/**
 * Runs a read that may take long, on a connection that money never waits for. A caller has one at a time, and where more of
 * theirs wait, the next begins only after as long again as the last one took: however many they send at once, the reads of
 * others are not kept waiting by theirs, and half of the time is left to the money.
 *
 * @param caller e.g. `partner:{id}`
 * @throws DomainError BUSY when too many of this caller's reads wait already, or when the read takes too long
 */
export type ReadLong = <Result>(caller: string, read: (db: Database) => Promise<Result>) => Promise<Result>;

/** Reads of one caller that wait for their turn. The time limit bounds them earlier, unless each is quick. */
const WAITING_MAX = 300;
/** Callers whose next read waits for a connection. */
const CALLERS_WAITING_MAX = 1_000;
/** A read that has waited so long is refused as BUSY. */
const WAIT_MAX_MS = 10_000;

/** The longest pause between two reads of one caller. */
const REST_MAX_MS = 1_000;

/** Gives a read a connection of its own. */
type OnOneConnection = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>;

/** The reads of one caller: `size` run or wait. */
interface Turns {
  readonly semaphore: Semaphore;
  size: number;
}

/** @param runningMax reads that run at once */
export function createLongReads(onOneConnection: OnOneConnection, runningMax: number): ReadLong {
  const all = createSemaphore({ runningMax, waitingMax: CALLERS_WAITING_MAX });
  const callers = new Map<string, Turns>();

  /** Answers as soon as the task has ended; its turn lasts longer where more of this caller wait for theirs. */
  async function inTurn<Result>(caller: string, task: () => Promise<Result>): Promise<Result> {
    const turns = callers.get(caller) ?? {
      semaphore: createSemaphore({ runningMax: 1, waitingMax: WAITING_MAX }),
      size: 0,
    };
    callers.set(caller, turns);
    turns.size += 1;
    return new Promise((resolve, reject) => {
      const turn = turns.semaphore.run(async () => {
        let tookMs = 0;
        await all.run(async () => {
          const begunAt = performance.now();
          await task().then(resolve, reject);
          tookMs = performance.now() - begunAt;
        });
        if (turns.size > 1) await sleep(Math.min(tookMs, REST_MAX_MS));
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

/** How long a read waits for the replica to have what it must show. It is asked again after each of the short waits. */
const REPLAY_MAX_MS = 100;
const WAIT_MS = 5;
/** A replica that does not say within this how far it is counts as away. */
const ANSWER_MAX_MS = 1_000;
/** After a failure the replica is left alone for so long. */
const REST_MS = 1_000;

const position = preparedText<{ at: string }>('replica.position', 'select pg_current_wal_flush_lsn()::text as at');
const hasReplayed = preparedText<{ has: boolean }>(
  'replica.has-replayed',
  'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as has',
);

/**
 * Reads from a replica, where it has everything that was committed before the read began, or `staleMs` before; and otherwise, or
 * when the replica fails, from the primary.
 */
export type ReadAside = <Result>(
  onReplica: () => Promise<Result>,
  onPrimary: () => Promise<Result>,
  options?: { readonly staleMs?: number },
) => Promise<Result>;

/** What is behind counts as a failure: it is said in the log once, and its end. */
export function createReadAside({
  primary,
  replica,
  log,
}: {
  primary: Database;
  replica: Database;
  log: Logger;
}): ReadAside {
  const absence = outageLogger(log, 'reading from the replica (DATABASE_READ_URL)');
  let restingUntil = 0;
  /** The replica has all that had been committed at this moment. */
  let freshAsOf = Number.NEGATIVE_INFINITY;

  function rest(error: unknown): void {
    absence.failed(error);
    restingUntil = performance.now() + REST_MS;
    freshAsOf = Number.NEGATIVE_INFINITY;
  }

  /** How far the primary is: asked once for all who ask at the same moment. */
  const positionNow = gather<void, string>(async (asked) => {
    const [row] = await position(primary, []);
    if (row === undefined) throw new Error('a select without from has one row');
    return asked.map(() => row.at);
  });

  /** @throws when the replica is behind, or does not answer */
  async function catchUp(): Promise<void> {
    const begunAt = performance.now();
    const at = await positionNow();
    for (;;) {
      const rows = await withTimeout(hasReplayed(replica, [at]), ANSWER_MAX_MS);
      if (rows === undefined) throw new Error('it does not answer');
      if (rows[0]?.has === true) break;
      if (performance.now() - begunAt > REPLAY_MAX_MS) throw new Error('it is behind');
      await sleep(WAIT_MS);
    }
    freshAsOf = Math.max(freshAsOf, begunAt);
    absence.recovered();
  }

  return async (onReplica, onPrimary, { staleMs = 0 } = {}) => {
    if (performance.now() < restingUntil) return onPrimary();
    try {
      if (freshAsOf < performance.now() - staleMs) await catchUp();
      return await onReplica();
    } catch (error) {
      if (error instanceof DomainError || isCancelled(error)) throw error; // which would take too long anywhere
      rest(error);
      return onPrimary();
    }
  };
}
