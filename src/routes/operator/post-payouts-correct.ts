import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { correctionAccounts, correctPayout, getPayout } from '#modules/payouts';
import { reason } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { payoutShape, toPayout } from './shapes/payout.ts';

const body = z.object({
  account: z.enum(correctionAccounts).meta({
    description:
      'Who pays: the WALLET that got its money back, or, where it cannot, our account of what is not explained',
  }),
  reason,
});

export function postPayoutsCorrect(app: ZodApp, deps: DepsOf<typeof correctPayout> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /payouts/:id/correct',
    params: idParams,
    body,
    waits: 'always',
    repeatable: true,
    run: async ({ params, body: asked, actor }) =>
      toPayout(await correctPayout(deps, { ...asked, id: params.id, actor })),
  });
  app.post(
    '/payouts/:id/correct',
    {
      schema: {
        operationId: 'correctPayout',
        summary: 'Book that a payout which has failed here was paid all the same; another operator must agree',
        params: idParams,
        body,
        response: {
          200: payoutShape,
          202: approvalShape,
          ...failuresFor('PAYOUT_NOT_FOUND', 'PAYOUT_STATE_CONFLICT', 'REFERENCE_REUSED'),
        },
      },
    },
    async (request, reply) => {
      await getPayout(deps, request.params.id); // which nobody need approve to be told of
      return handle(request, reply);
    },
  );
}
