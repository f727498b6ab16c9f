import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { initiateTransaction } from '#modules/offers';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { deadlineIn } from '#wire/moment.ts';
import { amountIn, currencyCode } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';
import { switchTransactionShape, toSwitchTransaction } from './shapes.ts';

const body = z.object({
  senderTag: text(100).meta({ example: 'ada' }),
  receiverTag: text(100).meta({ example: 'bola@acme' }),
  amount: amountIn,
  currency: currencyCode,
  reference: optional(reference),
  narration: optional(text(500)),
  expiresAt: optional(deadlineIn).meta({ description: 'At most 30 days ahead; 72 hours when it is not sent' }),
});

export function postTransactions(app: ZodApp, deps: DepsOf<typeof initiateTransaction> & { clock: Clock }): void {
  app.post(
    '/transactions',
    {
      schema: {
        tags: ['Transactions'],
        operationId: 'createTransaction',
        summary: 'Offer money of the calling application to another tag',
        security: applicationOnly,
        body,
        response: {
          201: envelopeOf(switchTransactionShape).describe(
            'As it is now that it was made; the same for a repeated one',
          ),
          ...failuresFor(
            'SELF_TRANSFER',
            'NOT_PERMITTED',
            'TAG_NOT_FOUND',
            'REFERENCE_REUSED',
            'AMOUNT_TOO_SMALL',
            'BALANCE_EXCEEDED',
            'CURRENCY_MISMATCH',
            'INSUFFICIENT_FUNDS',
            'TAG_NOT_PAYABLE',
            'WALLET_BLOCKED',
            'WALLET_PNC',
            'WALLET_PND',
          ),
        },
      },
    },
    async (request, reply) => {
      const asked = { ...request.body, applicationId: applicationOf(request).id };
      const transaction = toSwitchTransaction(await initiateTransaction(deps, asked));
      return reply.code(201).send(enveloped(deps.clock, 'transaction initiated', transaction));
    },
  );
}
