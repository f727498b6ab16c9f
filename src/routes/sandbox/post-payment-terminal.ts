import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { payAtTerminal } from '#modules/sandbox';
import { optional, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { paymentBody } from './shapes.ts';

const body = paymentBody.extend({
  terminal: text(100).meta({ description: 'Serial number of one of your terminals' }),
  split: optional(text(100)).meta({ description: 'Reference of the split of which it is an instalment' }),
});

export function postPaymentTerminal(app: ZodApp, deps: DepsOf<typeof payAtTerminal>): void {
  app.post(
    '/payment/terminal',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateTerminalPayment',
        summary: 'Pay at one of your terminals',
        security: partnerOnly,
        body,
        response: {
          200: transactionShape,
          ...failuresFor('SPLIT_NOT_FOUND', 'TERMINAL_NOT_FOUND', 'REFERENCE_REUSED'),
        },
      },
    },
    async (request) => toTransaction(await payAtTerminal(deps, { ...request.body, partnerId: partnerOf(request).id })),
  );
}
