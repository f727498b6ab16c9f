import { z } from 'zod';
import { listCustomerConsents } from '#modules/claims';
import { failuresFor, partnerAndCustomer } from '../../http/openapi-meta.ts';
import { listOf, paging } from '../../http/paging.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';

const consentShape = z
  .object({
    id: z.uuid(),
    paytag: z.string(),
    applicationName: z.string().meta({ description: 'Who asked' }),
    name: z.string().optional().meta({ description: 'For whom it asked' }),
    approvedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'CustomerConsent' });

export function getConsent(app: ZodApp, resources: Resources): void {
  app.get(
    '/consent',
    {
      schema: {
        tags: ['Extension'],
        summary: 'What the customer has agreed to on her PayTag, newest first',
        security: partnerAndCustomer,
        querystring: paging,
        response: { 200: listOf(consentShape), ...failuresFor(400, 401, 403) },
      },
    },
    async ({ customerId, query: { limit, offset } }) => {
      const { items, count } = await listCustomerConsents(resources, { customerId, limit, offset });
      const shown = items.map(({ approvedAt, ...item }) => ({ ...item, approvedAt: approvedAt?.toISOString() }));
      return { items: shown, count, limit, offset };
    },
  );
}
