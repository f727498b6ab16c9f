import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { linkBankAccount } from '#modules/payouts';
import { accountNumber, bankCode } from '#wire/wallet.ts';
import { bankAccountShape, toBankAccount } from './shapes.ts';

const body = z.object({ accountNumber, bankCode });

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
