import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { transfer } from '#modules/wallets';
import { amountIn } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

const body = z.object({
  paytag: text(40).meta({ example: 'bola' }),
  amount: amountIn.meta({ example: 250 }),
  reference,
  comment: optional(text(500)),
});

export function postTransaction(app: ZodApp, deps: DepsOf<typeof transfer>): void {
  app.post(
    '/transaction',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'createTransfer',
        summary: 'Pay another PayTag, into its primary wallet',
        security: partnerAndCustomer,
        body,
        response: {
          200: transactionShape,
          ...failuresFor(
            'SELF_TRANSFER',
            'PAYTAG_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'REFERENCE_REUSED',
            'AMOUNT_TOO_SMALL',
            'BALANCE_EXCEEDED',
            'INSUFFICIENT_FUNDS',
            'LIMIT_EXCEEDED',
            'PAYTAG_SUSPENDED',
            'WALLET_BLOCKED',
            'WALLET_PNC',
            'WALLET_PND',
          ),
        },
      },
    },
    async (request, reply) => {
      const { customerId } = request;
      const sent = await transfer(deps, { ...request.body, partnerId: partnerOf(request).id, customerId });
      reply.header('cache-control', 'no-store');
      return toTransaction(sent);
    },
  );
}
