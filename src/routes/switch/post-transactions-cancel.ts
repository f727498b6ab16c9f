import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { cancelTransaction } from '#modules/offers';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { switchTransactionShape, toSwitchTransaction, transactionParams } from './shapes.ts';

export function postTransactionsCancel(app: ZodApp, deps: DepsOf<typeof cancelTransaction> & { clock: Clock }): void {
  app.post(
    '/transactions/:id/cancel',
    {
      schema: {
        tags: ['Transactions', 'Extension'],
        operationId: 'cancelTransaction',
        summary: 'Take an offer back',
        security: applicationOnly,
        params: transactionParams,
        response: {
          200: envelopeOf(switchTransactionShape),
          ...failuresFor('NOT_PERMITTED', 'TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING', 'TRANSACTION_EXPIRED'),
        },
      },
    },
    async (request) => {
      const decision = { id: request.params.id, applicationId: applicationOf(request).id };
      const transaction = await cancelTransaction(deps, decision);
      return enveloped(deps.clock, 'transaction cancelled', toSwitchTransaction(transaction));
    },
  );
}
