import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { payOutForCustomer } from '#modules/payouts';
import { amountIn } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

const body = z.object({ amount: amountIn, reference, comment: optional(text(500)) });

export function postPayout(app: ZodApp, deps: DepsOf<typeof payOutForCustomer>): void {
  app.post(
    '/payout',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'createCustomerPayout',
        summary: 'Pay out to the bank account that the customer linked',
        security: partnerAndCustomer,
        body,
        response: {
          200: transactionShape,
          ...failuresFor(
            'WALLET_NOT_FOUND',
            'BANK_ACCOUNT_NOT_LINKED',
            'LIMIT_EXCEEDED',
            'REFERENCE_REUSED',
            'INSUFFICIENT_FUNDS',
            'AMOUNT_TOO_SMALL',
            'WALLET_BLOCKED',
            'WALLET_PND',
            'PROVIDER_NOT_CONFIGURED',
          ),
        },
      },
    },
    async (request, reply) => {
      const { customerId } = request;
      const ordered = await payOutForCustomer(deps, { ...request.body, partnerId: partnerOf(request).id, customerId });
      reply.header('cache-control', 'no-store');
      return toTransaction(ordered);
    },
  );
}
