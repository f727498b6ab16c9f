import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { payInstalment } from '#modules/sandbox';
import { amountIn } from '#wire/money.ts';
import { optional, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { paymentBody } from './shapes.ts';

const body = paymentBody.extend({
  amount: optional(amountIn).meta({ description: 'Without one, all that remains' }),
});

export function postTerminalSplitPay(app: ZodApp, deps: DepsOf<typeof payInstalment>): void {
  app.post(
    '/terminal/:terminal/split/:split/pay',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateSplitPayment',
        summary: 'Pay an instalment of a split, or all that remains of it',
        security: partnerOnly,
        params: z.object({ terminal: text(100), split: text(100) }),
        body,
        response: {
          200: transactionShape,
          ...failuresFor('SPLIT_NOT_FOUND', 'TERMINAL_NOT_FOUND', 'REFERENCE_REUSED'),
        },
      },
    },
    async (request) =>
      toTransaction(
        await payInstalment(deps, { ...request.body, ...request.params, partnerId: partnerOf(request).id }),
      ),
  );
}
