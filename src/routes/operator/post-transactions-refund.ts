import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { amountToRefund, refundForOperator } from '#modules/wallets';
import { amountIn } from '#wire/money.ts';
import { optional, reason, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';

const body = z.object({
  partnerId: z.uuid(),
  reference,
  amount: optional(amountIn),
  comment: optional(text(500)),
  reason,
});

const params = z.object({ reference });

export function postTransactionsRefund(app: ZodApp, deps: DepsOf<typeof refundForOperator> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /transactions/:reference/refund',
    params,
    body,
    waits: ({ params: { reference: original }, body: refund }) =>
      refund.amount ?? amountToRefund(deps, { partnerId: refund.partnerId, original }),
    repeatable: true,
    run: async ({ params: { reference: original }, body: refund, actor }) =>
      toTransaction(await refundForOperator(deps, { ...refund, original, actor })),
  });
  app.post(
    '/transactions/:reference/refund',
    {
      schema: {
        operationId: 'refundTransaction',
        summary: 'Give back a transaction that a partner knows by this reference: what is left of it, or an amount',
        params,
        body,
        response: {
          200: transactionShape,
          202: approvalShape,
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
    handle,
  );
}
