import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { findCustomers } from '#modules/recovery';
import { optional, optionalReason, text } from '#wire/text.ts';
import { maskedCustomerShape, toMaskedCustomer } from './shapes/customer.ts';

const body = z
  .object({
    paytag: optional(text(40)).meta({ example: 'ada' }),
    nuban: optional(z.string().regex(/^\d{10}$/, 'must be 10 digits')),
    phone: optional(text(40)).meta({ description: 'e.g. 08031234567' }),
    bvn: optional(text(40)).meta({ description: '11 digits' }),
    reason: optionalReason,
  })
  .meta({ example: { paytag: 'ada' } });

export function postCustomersFind(app: ZodApp, deps: DepsOf<typeof findCustomers>): void {
  app.post(
    '/customers/find',
    {
      schema: {
        operationId: 'findCustomers',
        summary: 'Find customers by exactly one of PayTag, account number, phone and BVN',
        description:
          'Masked. A POST, so that no phone and no BVN stands in a URL. Audited, without what was searched for.',
        body,
        response: { 200: z.object({ items: z.array(maskedCustomerShape) }) },
      },
    },
    async ({ body: search, actor }) => {
      const found = await findCustomers(deps, { ...search, actor });
      return { items: found.map(toMaskedCustomer) };
    },
  );
}
