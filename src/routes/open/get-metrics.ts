import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { outageLogger } from '#lib/outage-logger.ts';
import { sealedUntil } from '#modules/seals';
import { measureBacklog } from '#modules/webhooks';
import type { Metrics } from '../../metrics/metrics.ts';

/** What this process counts and what waits in the database, for Prometheus. Answers also while the database is away. */
export function getMetrics(
  app: ZodApp,
  { metrics, db, pool, log }: { metrics: Metrics; db: Database; pool: Pool; log: Logger },
): void {
  const measuring = outageLogger(log, 'reading the database for metrics');
  app.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
    const backlog = await measureBacklog(pool).catch(measuring.failed);
    const sealed = backlog && (await sealedUntil(db).catch(measuring.failed));
    if (backlog) measuring.recovered();
    const { contentType, text } = await metrics.expose(backlog ?? undefined, sealed ?? undefined);
    return reply.type(contentType).send(text);
  });
}
