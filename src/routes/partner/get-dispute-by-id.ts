import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getDispute } from '#modules/disputes';
import { disputeShape, toDispute } from './shapes.ts';

export function getDisputeById(app: ZodApp, deps: DepsOf<typeof getDispute>): void {
  app.get(
    '/dispute/:id',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'getDispute',
        summary: 'A dispute about a wallet of this partner',
        security: partnerOnly,
        params: z.object({ id: z.uuid() }),
        response: { 200: disputeShape, ...failuresFor('DISPUTE_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return toDispute(await getDispute(deps, { id: request.params.id, partnerId: partnerOf(request).id }));
    },
  );
}
