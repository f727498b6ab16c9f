import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { replayDeliveries } from '#modules/webhooks';
import { replayBody, replayShape, toReplay } from '#wire/delivery.ts';

export function postWebhookReplay(app: ZodApp, deps: DepsOf<typeof replayDeliveries>): void {
  app.post(
    '/webhook/replay',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'replayDeliveries',
        summary: 'Deliver the events of this partner’s deliveries that match once more',
        security: partnerOnly,
        body: replayBody,
        response: { 200: replayShape },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      return toReplay(await replayDeliveries(deps, { ...request.body, partnerId, actor: request.credential }));
    },
  );
}
