import type { ZodApp } from '#http/zod-app.ts';
import type { Scrape } from '../../metrics/scrape.ts';

/** The counters of this process, the backlogs in the database and the results of the last checks, for Prometheus. */
export function getMetrics(app: ZodApp, { scrape }: { scrape: Scrape }): void {
  app.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
    const { contentType, text } = await scrape();
    return reply.type(contentType).send(text);
  });
}
