import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listPartners } from '#modules/partners';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { listedPartnerShape, partnerStatus, toListedPartner } from './shapes/partner.ts';

const pages = pagedBy('partners', uuidKey);

export function getPartners(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listPartners>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/partners',
    {
      schema: {
        operationId: 'listPartners',
        summary: 'Find partners, newest first',
        querystring: pages.query.extend({ status: optional(partnerStatus) }),
        response: { 200: listOf(listedPartnerShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listPartners({ ...deps, db }, request.query));
      return pages.page(found, request.query, toListedPartner);
    },
  );
}
