import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';
import { sendDocsPage } from './docs-page.ts';
import { renderPage } from './guides.ts';

/** What an alert means, and what to do. */
export function getDocsOperate(app: ZodApp): void {
  const schema = { hide: true, params: z.object({ alert: z.string() }) };
  app.get('/docs/operate/:alert', { schema }, async (request, reply) => {
    const { alert } = request.params;
    const body = await renderPage('operate', alert);
    if (body === undefined) throw new DomainError('ROUTE_NOT_FOUND', 'there is no such page: see /docs/observe');
    return sendDocsPage(reply, { title: alert, body });
  });
}
