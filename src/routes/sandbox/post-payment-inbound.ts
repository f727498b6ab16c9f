import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { receiveTransfer } from '#modules/sandbox';
import { text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { paymentBody } from './shapes.ts';

const body = paymentBody.extend({
  nuban: text(10)
    .regex(/^\d{10}$/, 'must be 10 digits')
    .meta({ description: 'Account number of one of your wallets' }),
});

export function postPaymentInbound(app: ZodApp, deps: DepsOf<typeof receiveTransfer>): void {
  app.post(
    '/payment/inbound',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateInboundTransfer',
        summary: 'Send a bank transfer to the account number of one of your wallets',
        security: partnerOnly,
        body,
        response: { 200: transactionShape, ...failuresFor('WALLET_NOT_FOUND', 'REFERENCE_REUSED') },
      },
    },
    async (request) =>
      toTransaction(await receiveTransfer(deps, { ...request.body, partnerId: partnerOf(request).id })),
  );
}
