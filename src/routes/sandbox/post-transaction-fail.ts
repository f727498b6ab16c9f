import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { failTransaction } from '#modules/sandbox';
import { reference } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

export function postTransactionFail(app: ZodApp, deps: DepsOf<typeof failTransaction>): void {
  app.post(
    '/transaction/:reference/fail',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateFailure',
        summary: 'Fail a transaction after the fact: all of it goes back, and it is Reversed',
        security: partnerOnly,
        params: z.object({ reference }),
        response: {
          200: transactionShape,
          ...failuresFor(
            'TRANSACTION_NOT_FOUND',
            'INSUFFICIENT_FUNDS',
            'TRANSACTION_NOT_REVERSIBLE',
            'WALLET_BLOCKED',
            'WALLET_PND',
          ),
        },
      },
    },
    async (request) =>
      toTransaction(
        await failTransaction(deps, { partnerId: partnerOf(request).id, reference: request.params.reference }),
      ),
  );
}
