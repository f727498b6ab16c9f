import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { removeBeneficiary } from '#modules/wallets';
import { text } from '#wire/text.ts';

export function deleteBeneficiary(app: ZodApp, deps: DepsOf<typeof removeBeneficiary>): void {
  app.delete(
    '/beneficiary',
    {
      schema: {
        tags: ['Customer wallet'],
        operationId: 'removeBeneficiary',
        summary: 'Remove a beneficiary: whether there was one',
        security: partnerAndCustomer,
        body: z.object({ paytag: text(100) }),
        response: { 200: z.boolean() },
      },
    },
    async (request) => {
      const payer = { partnerId: partnerOf(request).id, customerId: request.customerId };
      return removeBeneficiary(deps, { ...payer, paytag: request.body.paytag });
    },
  );
}
