import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { acceptTransaction } from '#modules/offers';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { switchTransactionShape, toSwitchTransaction, transactionParams } from './shapes.ts';

export function postTransactionsAccept(app: ZodApp, deps: DepsOf<typeof acceptTransaction> & { clock: Clock }): void {
  app.post(
    '/transactions/:id/accept',
    {
      schema: {
        tags: ['Transactions', 'Extension'],
        operationId: 'acceptTransaction',
        summary: 'Accept what was offered: it is settled at once',
        security: applicationOnly,
        params: transactionParams,
        response: {
          200: envelopeOf(switchTransactionShape),
          ...failuresFor(
            'NOT_PERMITTED',
            'TRANSACTION_NOT_FOUND',
            'TRANSACTION_NOT_PENDING',
            'TRANSACTION_EXPIRED',
            'BALANCE_EXCEEDED',
            'TAG_NOT_PAYABLE',
            'WALLET_BLOCKED',
            'WALLET_PNC',
            'WALLET_PND',
          ),
        },
      },
    },
    async (request) => {
      const decision = { id: request.params.id, applicationId: applicationOf(request).id };
      const transaction = await acceptTransaction(deps, decision);
      return enveloped(deps.clock, 'transaction accepted', toSwitchTransaction(transaction));
    },
  );
}
