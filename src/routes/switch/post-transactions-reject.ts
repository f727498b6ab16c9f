import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rejectTransaction } from '#modules/offers';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { text } from '#wire/text.ts';
import { switchTransactionShape, toSwitchTransaction, transactionParams } from './shapes.ts';

export function postTransactionsReject(app: ZodApp, deps: DepsOf<typeof rejectTransaction> & { clock: Clock }): void {
  app.post(
    '/transactions/:id/reject',
    {
      schema: {
        tags: ['Transactions', 'Extension'],
        operationId: 'rejectTransaction',
        summary: 'Refuse what was offered: the sender has it back',
        security: applicationOnly,
        params: transactionParams,
        body: z.object({ rejectionReason: text(500) }),
        response: {
          200: envelopeOf(switchTransactionShape),
          ...failuresFor('NOT_PERMITTED', 'TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING', 'TRANSACTION_EXPIRED'),
        },
      },
    },
    async (request) => {
      const decision = { ...request.body, id: request.params.id, applicationId: applicationOf(request).id };
      const transaction = await rejectTransaction(deps, decision);
      return enveloped(deps.clock, 'transaction rejected', toSwitchTransaction(transaction));
    },
  );
}
