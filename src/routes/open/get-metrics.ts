import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { outageLogger } from '#lib/outage-logger.ts';
import { measureIntegrity } from '#modules/integrity';
import { sealedUntil } from '#modules/seals';
import { measureBacklog } from '#modules/webhooks';
import type { Metrics } from '../../metrics/metrics.ts';

type Deps = { metrics: Metrics; pool: Pool; db: Database; log: Logger };

/**
 * What this process counts, what waits in the database and what the last checks found, for Prometheus. Answers also while the
 * database is away.
 */
export function getMetrics(app: ZodApp, { metrics, pool, db, log }: Deps): void {
  const measuring = outageLogger(log, 'reading the database for metrics');
  app.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
    const backlog = await measureBacklog(pool).catch(measuring.failed);
    const sealed = backlog && (await sealedUntil(db).catch(measuring.failed));
    if (backlog) measuring.recovered();
    const integrity = backlog && (await measureIntegrity(db).catch(measuring.failed));
    const { contentType, text } = await metrics.expose(
      backlog ?? undefined,
      sealed ?? undefined,
      integrity ?? undefined,
    );
    return reply.type(contentType).send(text);
  });
}
