import { DatabaseError } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { outageLogger } from '#lib/outage-logger.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { type Database, onOneConnection } from '#lib/postgres/executor.ts';
import { isStalePlan } from '#lib/postgres/failures.ts';
import { createSharedReading } from '#lib/shared-reading.ts';
import type { Metrics } from './metrics.ts';
import { databaseReadings } from './readings.ts';

/** Rather no gauge than a database that is kept busy by who looks at it. */
const STATEMENT_TIMEOUT_MS = 2_000;

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
