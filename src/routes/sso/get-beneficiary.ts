import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listBeneficiaries } from '#modules/wallets';
import { momentOut } from '#wire/moment.ts';
import { listOf, momentKey, pagedBy } from '#wire/paging.ts';

const pages = pagedBy('beneficiaries', momentKey);

const beneficiaryShape = z
  .object({ paytag: z.string(), name: z.string(), imageUrl: z.string().optional(), lastPaidAt: momentOut })
  .meta({ id: 'Beneficiary' });

export function getBeneficiary(app: ZodApp, deps: DepsOf<typeof listBeneficiaries>): void {
  app.get(
    '/beneficiary',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'listBeneficiaries',
        summary: 'Whom the customer has paid at this partner, those paid last first',
        security: partnerAndCustomer,
        querystring: pages.query,
        response: { 200: listOf(beneficiaryShape) },
      },
    },
    async (request) => {
      const { customerId, query } = request;
      const found = await listBeneficiaries(deps, { partnerId: partnerOf(request).id, customerId, ...query });
      return pages.page(found, query, ({ lastPaidAt, ...item }) => ({ ...item, lastPaidAt: lastPaidAt.toISOString() }));
    },
  );
}
