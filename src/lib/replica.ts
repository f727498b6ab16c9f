import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isCancelled } from './cancelled.ts';
import type { Database } from './database.ts';
import { DomainError } from './domain-error.ts';
import { outageLogger } from './outage-logger.ts';
import { preparedText } from './prepared.ts';
import { withTimeout } from './with-timeout.ts';

/** How long a read waits for the replica to have what it must show. It is asked again after each of the short waits. */
const WAIT_MAX_MS = 100;
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
  let asked: Promise<string> | undefined;

  function rest(error: unknown): void {
    absence.failed(error);
    restingUntil = performance.now() + REST_MS;
    freshAsOf = Number.NEGATIVE_INFINITY;
  }

  /** How far the primary is: asked once for all who ask in one turn of the event loop. */
  function positionNow(): Promise<string> {
    asked ??= new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      asked = undefined;
      const [row] = await position(primary, []);
      if (row === undefined) throw new Error('a select without from has one row');
      return row.at;
    });
    return asked;
  }

  /** @throws when the replica is behind, or does not answer */
  async function catchUp(): Promise<void> {
    const begunAt = performance.now();
    const at = await positionNow();
    for (;;) {
      const rows = await withTimeout(hasReplayed(replica, [at]), ANSWER_MAX_MS);
      if (rows === undefined) throw new Error('it does not answer');
      if (rows[0]?.has === true) break;
      if (performance.now() - begunAt > WAIT_MAX_MS) throw new Error('it is behind');
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
