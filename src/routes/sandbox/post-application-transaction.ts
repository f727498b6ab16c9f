import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { tagTransactionData } from '#modules/offers';
import { offerToApplication } from '#modules/sandbox';
import { deadlineIn } from '#wire/moment.ts';
import { amountIn, currencyCode } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';
import { switchTransaction } from '#wire/transaction.ts';

const body = z.object({
  receiverTag: text(100).meta({ description: 'A tag of yours', example: 'rides' }),
  amount: amountIn,
  currency: currencyCode.default('NGN'),
  reference,
  narration: optional(text(500)),
  expiresAt: optional(deadlineIn).meta({ description: 'At most 30 days ahead; 72 hours when it is not sent' }),
});

const offered = switchTransaction.extend({ status: z.enum([...switchTransaction.shape.status.options, 'DECLINED']) });

export function postApplicationTransaction(app: ZodApp, deps: DepsOf<typeof offerToApplication>): void {
  app.post(
    '/application/transaction',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateIncomingTransaction',
        summary: 'Have a test sender offer money to one of your tags, for you to accept or reject',
        security: applicationOnly,
        body,
        response: {
          201: offered,
          ...failuresFor('TAG_NOT_FOUND', 'REFERENCE_REUSED', 'TAG_NOT_PAYABLE', 'BALANCE_EXCEEDED'),
        },
      },
    },
    async (request, reply) => {
      const transaction = await offerToApplication(deps, {
        ...request.body,
        applicationId: applicationOf(request).id,
      });
      return reply.code(201).send(tagTransactionData(transaction));
    },
  );
}
