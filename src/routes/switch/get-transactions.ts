import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { findTagTransaction } from '#modules/offers';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { reference } from '#wire/text.ts';
import { switchTransactionShape, toSwitchTransaction } from './shapes.ts';

export function getTransactions(app: ZodApp, deps: DepsOf<typeof findTagTransaction> & { clock: Clock }): void {
  app.get(
    '/transactions',
    {
      schema: {
        tags: ['Transactions', 'Extension'],
        operationId: 'findTransactions',
        summary: 'The transaction to which the calling application gave this reference, declined or not',
        security: applicationOnly,
        querystring: z.object({ reference }),
        response: {
          200: envelopeOf(z.array(switchTransactionShape)).describe('None where the reference was not used, else one'),
        },
      },
    },
    async (request) => {
      const asked = { reference: request.query.reference, applicationId: applicationOf(request).id };
      const found = await findTagTransaction(deps, asked);
      return enveloped(deps.clock, 'transactions', found === undefined ? [] : [toSwitchTransaction(found)]);
    },
  );
}
