import { DatabaseError } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { outageLogger } from '#lib/log.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { type Database, onOneConnection } from '#lib/postgres/executor.ts';
import { isStalePlan } from '#lib/postgres/failures.ts';
import type { Metrics } from './metrics.ts';
import { databaseReadings } from './readings.ts';

/** Rather no gauge than a database that is kept busy by who looks at it. */
const STATEMENT_TIMEOUT_MS = 2_000;

/** So long one reading is good for all who ask. */
const FRESH_MIN_MS = 1_000;
/** After a reading that took long, nothing is read for so many times as long: reading takes a tenth of the time at most. */
const REST = 9;

/** What this process counts, what waits in the database and what the last checks found, as text for Prometheus. */
export type Scrape = () => Promise<{ contentType: string; text: string }>;

/**
 * Opens what the metrics are read with: a connection of their own, so that no request ever waits for them. However many
 * ask, one computation runs at a time, and all get what it brought. Answers also while the database is away.
 */
export function openScrape({
  databaseUrl,
  metrics,
  clock,
  log,
}: {
  databaseUrl: string;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
}): { scrape: Scrape; close: () => Promise<void> } {
  const measuring = outageLogger(log, 'reading the database for metrics');
  const database = openDatabase(databaseUrl, 1, measuring.failed, {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'paytag-metrics',
  });

  /** What one reading cannot tell, the next may; but from a database that does not answer nothing more is asked. */
  async function readAll(db: Database): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const reading of databaseReadings) {
      try {
        await reading.read(db, metrics);
        metrics.set('paytag_metrics_unread', { reading: reading.name }, 0);
      } catch (error) {
        if (isStalePlan(error)) throw error; // all is read anew on another connection
        failures.push(error);
        if (!(error instanceof DatabaseError)) break;
      }
    }
    return failures;
  }

  const scrape = createSharedReading(async () => {
    for (const { name, gauges } of databaseReadings) {
      metrics.unknown(gauges);
      metrics.set('paytag_metrics_unread', { reading: name }, 1);
    }
    const failures = await onOneConnection(database.db, readAll).catch((error: unknown) => [error]);
    for (const failure of failures) measuring.failed(failure);
    if (failures.length === 0) measuring.recovered();
    return metrics.expose();
  }, clock);
  return {
    scrape,
    close: async () => {
      measuring.end();
      await database.close();
    },
  };
}

/**
 * Gives what `read` computes to everybody who asks: one computation runs at a time, all who ask while it does get what it brings, and
 * it stays good for a second or nine times as long as it took. So it does not matter how many scrape, or how often.
 */
export function createSharedReading<T>(read: () => Promise<T>, clock: Clock): () => Promise<T> {
  let last: { readonly value: T; readonly endedAt: number; readonly freshMs: number } | undefined;
  let running: Promise<T> | undefined;

  const isFresh = (): boolean => {
    const age = last === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() - last.endedAt;
    return last !== undefined && age >= 0 && age < last.freshMs; // a clock that was set back makes it stale
  };
  const readAgain = async (): Promise<T> => {
    const beganAt = clock.now().getTime();
    const value = await read();
    const endedAt = clock.now().getTime();
    last = { value, endedAt, freshMs: Math.max(FRESH_MIN_MS, (endedAt - beganAt) * REST) };
    return value;
  };
  return async () => {
    if (running !== undefined) return running;
    if (last !== undefined && isFresh()) return last.value;
    running = readAgain().finally(() => {
      running = undefined;
    });
    return running;
  };
}
