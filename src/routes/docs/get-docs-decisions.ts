import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';
import { sendDocsPage } from './docs-page.ts';
import { renderPage } from './guides.ts';

/** The decisions of one area. */
export function getDocsDecisions(app: ZodApp): void {
  const schema = { hide: true, params: z.object({ area: z.string() }) };
  app.get('/docs/decisions/:area', { schema }, async (request, reply) => {
    const { area } = request.params;
    const body = await renderPage('decisions', area);
    if (body === undefined) throw new DomainError('ROUTE_NOT_FOUND', 'there is no such page: see /docs/decisions');
    return sendDocsPage(reply, { title: area, body });
  });
}
