import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { addEvidence } from '#modules/disputes';
import { optional, text, webUrl } from '#wire/text.ts';
import { disputeShape, toDispute } from './shapes.ts';

const body = z.object({
  text: text(2000).meta({ example: 'Delivered on the 3rd, signed for by the customer' }),
  link: optional(webUrl).meta({
    description: 'Where there is more of it',
    example: 'https://files.example/receipt-7.pdf',
  }),
});

export function postDisputeEvidence(app: ZodApp, deps: DepsOf<typeof addEvidence>): void {
  app.post(
    '/dispute/:id/evidence',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'addDisputeEvidence',
        summary: 'Add evidence to an open dispute about a wallet of this partner',
        security: partnerOnly,
        params: z.object({ id: z.uuid() }),
        body,
        response: {
          200: disputeShape,
          ...failuresFor('DISPUTE_NOT_FOUND', 'DISPUTE_STATE_CONFLICT', 'DISPUTE_EXPIRED'),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const evidence = { ...request.body, id: request.params.id, partnerId: partnerOf(request).id };
      return toDispute(await addEvidence(deps, evidence));
    },
  );
}
