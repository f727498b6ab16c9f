import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listPartners } from '#modules/partners';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { listedPartnerShape, partnerStatus, toListedPartner } from './shapes/partner.ts';

export function getPartners(app: ZodApp, deps: DepsOf<typeof listPartners>): void {
  app.get(
    '/partners',
    {
      schema: {
        summary: 'Find partners, newest first',
        querystring: paging.extend({ status: optional(partnerStatus) }),
        response: { 200: listOf(listedPartnerShape), ...failuresFor(400, 401) },
      },
    },
    async (request) => {
      return pageOf(await listPartners(deps, request.query), request.query, toListedPartner);
    },
  );
}
