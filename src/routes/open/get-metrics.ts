import type { ZodApp } from '#http/zod-app.ts';
import type { Scrape } from '../../metrics/scrape.ts';

/** What this process counts, what waits in the database and what the last checks found, for Prometheus. */
export function getMetrics(app: ZodApp, { scrape }: { scrape: Scrape }): void {
  app.get('/metrics', { logLevel: 'warn' }, async (_request, reply) => {
    const { contentType, text } = await scrape();
    return reply.type(contentType).send(text);
  });
}
