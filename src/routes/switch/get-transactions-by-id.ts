import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getTagTransaction } from '#modules/offers';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { switchTransactionShape, toSwitchTransaction, transactionParams } from './shapes.ts';

export function getTransactionsById(app: ZodApp, deps: DepsOf<typeof getTagTransaction> & { clock: Clock }): void {
  app.get(
    '/transactions/:id',
    {
      schema: {
        tags: ['Transactions', 'Extension'],
        operationId: 'getTransaction',
        summary: 'A transaction that the calling application sends or receives',
        security: applicationOnly,
        params: transactionParams,
        response: { 200: envelopeOf(switchTransactionShape), ...failuresFor('TRANSACTION_NOT_FOUND') },
      },
    },
    async (request) => {
      const asked = { id: request.params.id, applicationId: applicationOf(request).id };
      const transaction = await getTagTransaction(deps, asked);
      return enveloped(deps.clock, 'transaction', toSwitchTransaction(transaction));
    },
  );
}
