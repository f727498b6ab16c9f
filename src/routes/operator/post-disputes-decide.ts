import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { decideDispute, disputedAmount } from '#modules/disputes';
import { reason } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { disputeShape, toDispute } from './shapes/dispute.ts';
import { idParams } from './shapes/params.ts';

const body = z.object({
  outcome: z
    .enum(['WON', 'LOST'])
    .meta({ description: 'WON: the receiver keeps the money. LOST: it goes back to the payer' }),
  reason,
});

export function postDisputesDecide(app: ZodApp, deps: DepsOf<typeof decideDispute> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /disputes/:id/decide',
    params: idParams,
    body,
    waits: ({ params }) => disputedAmount(deps, params.id),
    repeatable: true,
    run: async ({ params, body: decision, actor }) =>
      toDispute(await decideDispute(deps, { ...decision, id: params.id, actor })),
  });
  app.post(
    '/disputes/:id/decide',
    {
      schema: {
        operationId: 'decideDispute',
        summary: 'Decide a dispute: the money stays, or goes back to the payer',
        params: idParams,
        body,
        response: {
          200: disputeShape,
          202: approvalShape,
          ...failuresFor(
            'DISPUTE_NOT_FOUND',
            'DISPUTE_STATE_CONFLICT',
            'INSUFFICIENT_FUNDS',
            'REFERENCE_REUSED',
            'WALLET_PND',
            'WALLET_BLOCKED',
            'WALLET_REVOKED',
          ),
        },
      },
    },
    handle,
  );
}
