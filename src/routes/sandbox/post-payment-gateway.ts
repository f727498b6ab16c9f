import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { payAtGateway } from '#modules/sandbox';
import { optional, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { paymentBody } from './shapes.ts';

const body = paymentBody.extend({
  walletReference: optional(text(100)).meta({ description: 'The wallet that it is for; without one, your float' }),
});

export function postPaymentGateway(app: ZodApp, deps: DepsOf<typeof payAtGateway>): void {
  app.post(
    '/payment/gateway',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateGatewayPayment',
        summary: 'Pay at the gateway, into a wallet or your float',
        security: partnerOnly,
        body,
        response: { 200: transactionShape, ...failuresFor('WALLET_NOT_FOUND', 'REFERENCE_REUSED') },
      },
    },
    async (request) => toTransaction(await payAtGateway(deps, { ...request.body, partnerId: partnerOf(request).id })),
  );
}
