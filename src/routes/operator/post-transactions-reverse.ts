import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { reverseTransaction } from '#modules/treasury';
import { optional, optionalIntegerId, reason, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

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

export function postTransactionsReverse(app: ZodApp, deps: DepsOf<typeof reverseTransaction>): void {
  app.post(
    '/transactions/:reference/reverse',
    {
      schema: {
        summary: 'Undo a transaction of any kind, whole and once, with its charges',
        params: z.object({ reference }),
        body,
        response: { 200: transactionShape, ...failuresFor(400, 401, 404, 409, 422) },
      },
    },
    async (request) => {
      const { partnerId, applicationId, id, ...rest } = request.body;
      const original = { reference: request.params.reference, partnerId, applicationId, id };
      return toTransaction(await reverseTransaction(deps, { ...rest, original, actor: request.actor }));
    },
  );
}
