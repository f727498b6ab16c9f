import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { openDatabase } from '#lib/database.ts';
import { outageLogger } from '#lib/outage-logger.ts';
import { createSharedReading } from '#lib/shared-reading.ts';
import { measureIntegrity } from '#modules/integrity';
import { sealedUntil } from '#modules/seals';
import { measureBacklog } from '#modules/webhooks';
import type { Metrics } from './metrics.ts';

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
  const scrape = createSharedReading(async () => {
    const backlog = await measureBacklog(database.pool).catch(measuring.failed);
    const sealed = backlog && (await sealedUntil(database.db).catch(measuring.failed));
    if (backlog) measuring.recovered();
    const integrity = backlog && (await measureIntegrity(database.db).catch(measuring.failed));
    return metrics.expose(backlog ?? undefined, sealed ?? undefined, integrity ?? undefined);
  }, clock);
  return {
    scrape,
    close: async () => {
      measuring.end();
      await database.close();
    },
  };
}
