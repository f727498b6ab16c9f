import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { refundForOperator } from '#modules/wallets';
import { amountIn } from '#wire/money.ts';
import { optional, reason, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

const body = z.object({
  partnerId: z.uuid(),
  reference,
  amount: optional(amountIn),
  comment: optional(text(500)),
  reason,
});

export function postTransactionsRefund(app: ZodApp, deps: DepsOf<typeof refundForOperator>): void {
  app.post(
    '/transactions/:reference/refund',
    {
      schema: {
        summary: 'Give back a transaction that a partner knows by this reference: what is left of it, or an amount',
        params: z.object({ reference }),
        body,
        response: { 200: transactionShape, ...failuresFor(400, 401, 404, 409, 422) },
      },
    },
    async (request) => {
      const original = request.params.reference;
      const refund = { ...request.body, original, actor: request.actor };
      return toTransaction(await refundForOperator(deps, refund));
    },
  );
}
