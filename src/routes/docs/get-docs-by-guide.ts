import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';
import { sendDocsPage } from './docs-page.ts';
import { GUIDES, renderGuide } from './guides.ts';

const titles = new Map(GUIDES.flatMap(({ guides }) => guides.map(({ name, title }) => [name, title])));

/** A guide, as it stands in `src/docs`. */
export function getDocsByGuide(app: ZodApp): void {
  app.get(
    '/docs/:guide',
    { schema: { hide: true, params: z.object({ guide: z.string() }) } },
    async (request, reply) => {
      const { guide } = request.params;
      const body = await renderGuide(guide);
      if (body === undefined) throw new DomainError('ROUTE_NOT_FOUND', 'there is no such page: see /docs');
      return sendDocsPage(reply, { title: titles.get(guide) ?? guide, body });
    },
  );
}
