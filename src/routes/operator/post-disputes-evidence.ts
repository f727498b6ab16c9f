import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { addEvidence } from '#modules/disputes';
import { optionalReason } from '#wire/text.ts';
import { disputeShape, saidBody, toDispute } from './shapes/dispute.ts';
import { idParams } from './shapes/params.ts';

export function postDisputesEvidence(app: ZodApp, deps: DepsOf<typeof addEvidence>): void {
  app.post(
    '/disputes/:id/evidence',
    {
      schema: {
        operationId: 'addDisputeEvidence',
        summary: 'Add what is said of an open dispute',
        params: idParams,
        body: saidBody.extend({ reason: optionalReason }),
        response: { 200: disputeShape, ...failuresFor('DISPUTE_NOT_FOUND', 'DISPUTE_STATE_CONFLICT') },
      },
    },
    async ({ params, body, actor }) => toDispute(await addEvidence(deps, { ...body, id: params.id, actor })),
  );
}
