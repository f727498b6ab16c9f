import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getDispute } from '#modules/disputes';
import { disputeShape, toDispute } from './shapes/dispute.ts';
import { idParams } from './shapes/params.ts';

export function getDisputesById(app: ZodApp, deps: DepsOf<typeof getDispute>): void {
  app.get(
    '/disputes/:id',
    {
      schema: {
        operationId: 'getDispute',
        summary: 'A dispute, and what was said of it',
        params: idParams,
        response: { 200: disputeShape, ...failuresFor('DISPUTE_NOT_FOUND') },
      },
    },
    async ({ params }) => toDispute(await getDispute(deps, params)),
  );
}
