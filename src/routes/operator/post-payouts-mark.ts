import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getPayout, markPayout } from '#modules/payouts';
import { reason } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { payoutShape, toPayout } from './shapes/payout.ts';

const body = z.object({ outcome: z.enum(['SUCCESSFUL', 'FAILED']), reason });

export function postPayoutsMark(app: ZodApp, deps: DepsOf<typeof markPayout> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /payouts/:id/mark',
    params: idParams,
    body,
    waits: 'always',
    repeatable: true,
    run: async ({ params, body: asked, actor }) => toPayout(await markPayout(deps, { ...asked, id: params.id, actor })),
  });
  app.post(
    '/payouts/:id/mark',
    {
      schema: {
        operationId: 'markPayout',
        summary: 'Say what has become of a payout of unknown end; another operator must agree',
        params: idParams,
        body,
        response: { 200: payoutShape, 202: approvalShape, ...failuresFor('PAYOUT_NOT_FOUND', 'PAYOUT_STATE_CONFLICT') },
      },
    },
    async (request, reply) => {
      await getPayout(deps, request.params.id); // which nobody need approve to be told of
      return handle(request, reply);
    },
  );
}
