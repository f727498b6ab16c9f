import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { linkBankAccount } from '#modules/bank-accounts';
import { bankAccountShape, toBankAccount } from './shapes.ts';

const body = z.object({
  accountNumber: z
    .string()
    .regex(/^\d{10}$/, 'must have 10 digits')
    .meta({ example: '0123456789' }),
  bankCode: z
    .string()
    .regex(/^[0-9A-Z]{3,9}$/, 'must be a bank code, as 058')
    .meta({ example: '058' }),
});

export function postWalletBankAccount(app: ZodApp, deps: DepsOf<typeof linkBankAccount>): void {
  app.post(
    '/wallet/bank-account',
    {
      schema: {
        tags: ['Customer wallet'],
        operationId: 'linkBankAccount',
        summary: 'Link the customer’s bank account, once the bank says that it is theirs',
        security: partnerAndCustomer,
        body,
        response: {
          200: bankAccountShape,
          ...failuresFor('ACCOUNT_NAME_MISMATCH', 'BANK_ACCOUNT_NOT_FOUND', 'BANK_PROVIDER_UNAVAILABLE'),
        },
      },
    },
    async (request) => {
      const link = { partnerId: partnerOf(request).id, customerId: request.customerId };
      return toBankAccount(await linkBankAccount(deps, { ...link, ...request.body }));
    },
  );
}
