import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { refundTransaction } from '#modules/wallets';
import { amountIn } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { transactionParams } from './shapes.ts';

export function postTransactionRefund(app: ZodApp, deps: DepsOf<typeof refundTransaction>): void {
  app.post(
    '/transaction/:reference/refund',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'refundTransaction',
        summary: 'Give a transaction back: what is left of it, or an amount',
        security: partnerOnly,
        params: transactionParams,
        body: z.object({ reference, amount: optional(amountIn.meta({ example: 5 })), comment: optional(text(500)) }),
        response: {
          200: transactionShape,
          ...failuresFor(
            'TRANSACTION_NOT_FOUND',
            'REFERENCE_REUSED',
            'WALLET_REVOKED',
            'BALANCE_EXCEEDED',
            'INSUFFICIENT_FUNDS',
            'REFUND_EXCEEDS',
            'TRANSACTION_NOT_REFUNDABLE',
            'WALLET_BLOCKED',
            'WALLET_PND',
          ),
        },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      const refund = { ...request.body, partnerId, original: request.params.reference };
      return toTransaction(await refundTransaction(deps, refund));
    },
  );
}
