import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { amountToReverse, reverseTransaction } from '#modules/treasury';
import { optional, optionalIntegerId, reason, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';

const body = z.object({
  partnerId: optional(z.uuid()).meta({
    description: 'Whose transaction it is; needed where a partner gave its reference',
  }),
  applicationId: optional(z.uuid()).meta({ description: 'The same, of an application' }),
  id: optionalIntegerId.meta({ description: 'Where several transactions have this reference: which of them' }),
  reference,
  comment: optional(text(500)),
  reason,
});

const params = z.object({ reference });

export function postTransactionsReverse(app: ZodApp, deps: DepsOf<typeof reverseTransaction> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /transactions/:reference/reverse',
    params,
    body,
    waits: ({ params: { reference: named }, body: { partnerId, applicationId, id, reference: reversal } }) =>
      amountToReverse(deps, { original: { reference: named, partnerId, applicationId, id }, reference: reversal }),
    repeatable: true,
    run: async ({ params: { reference: named }, body: { partnerId, applicationId, id, ...rest }, actor }) => {
      const original = { reference: named, partnerId, applicationId, id };
      return toTransaction(await reverseTransaction(deps, { ...rest, original, actor }));
    },
  });
  app.post(
    '/transactions/:reference/reverse',
    {
      schema: {
        operationId: 'reverseTransaction',
        summary: 'Undo a transaction of any kind, whole and once, with its charges',
        params,
        body,
        response: {
          200: transactionShape,
          202: approvalShape,
          ...failuresFor(
            'TRANSACTION_NOT_FOUND',
            'REFERENCE_REUSED',
            'BALANCE_EXCEEDED',
            'INSUFFICIENT_FUNDS',
            'TRANSACTION_NOT_REVERSIBLE',
            'WALLET_BLOCKED',
            'WALLET_PNC',
            'WALLET_PND',
          ),
        },
      },
    },
    handle,
  );
}
