import { z } from 'zod';
import { partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { type Agreement, listAgreements } from '#modules/consent';
import { momentOut } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';

const pages = pagedBy('consents', uuidKey);

const consentShape = z
  .object({
    id: z.uuid(),
    type: z.enum(['CLAIM', 'LINK']).meta({
      description:
        'CLAIM: that their PayTag stands for somebody at the application. LINK: that it and a tag there are one person’s',
    }),
    paytag: z.string(),
    applicationName: z.string().meta({ description: 'Who asked' }),
    name: z.string().optional().meta({ description: 'Of a claim: for whom it asked' }),
    linkedTo: z.string().optional().meta({ description: 'Of a link: the other tag', example: 'ada@acme' }),
    approvedAt: momentOut.optional(),
  })
  .meta({ id: 'CustomerConsent' });

function toShown(agreement: Agreement): z.input<typeof consentShape> {
  if (agreement.type === 'CLAIM') return { ...agreement, approvedAt: agreement.approvedAt?.toISOString() };
  const { verifiedAt, ...link } = agreement;
  return { ...link, approvedAt: verifiedAt?.toISOString() };
}

export function getConsent(app: ZodApp, deps: DepsOf<typeof listAgreements>): void {
  app.get(
    '/consent',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'listConsents',
        summary: 'What the customer has agreed to on their PayTag, newest first',
        security: partnerAndCustomer,
        querystring: pages.query,
        response: { 200: listOf(consentShape) },
      },
    },
    async ({ customerId, query }) => pages.page(await listAgreements(deps, { customerId, ...query }), query, toShown),
  );
}
