import { failuresFor } from '#http/openapi-meta.ts';
import { listOf, paging } from '#http/paging.ts';
import { optional } from '#http/text.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { listPartners } from '#modules/partners';
import type { Resources } from '../../resources.ts';
import { partnerShape, partnerStatus, toPartner } from './partner-shapes.ts';

export function getPartners(app: ZodApp, resources: Resources): void {
  app.get(
    '/partners',
    {
      schema: {
        summary: 'Find partners, newest first',
        querystring: paging.extend({ status: optional(partnerStatus) }),
        response: { 200: listOf(partnerShape), ...failuresFor(400, 401) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      const { items, count } = await listPartners(resources, request.query);
      return { items: items.map(toPartner), count, limit, offset };
    },
  );
}
