import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getBankAccount } from '#modules/payouts';
import { bankAccountShape, toBankAccount } from './shapes.ts';

export function getWalletBankAccount(app: ZodApp, deps: DepsOf<typeof getBankAccount>): void {
  app.get(
    '/wallet/bank-account',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'getBankAccount',
        summary: 'The bank account that the customer linked',
        security: partnerAndCustomer,
        response: { 200: bankAccountShape, ...failuresFor('BANK_ACCOUNT_NOT_LINKED') },
      },
    },
    async (request) => {
      const link = { partnerId: partnerOf(request).id, customerId: request.customerId };
      return toBankAccount(await getBankAccount(deps, link));
    },
  );
}
