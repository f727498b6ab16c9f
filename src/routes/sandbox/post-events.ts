import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sampleEvents, sendSample } from '#modules/sandbox';
import { deliveryWithAttempts, toDeliveryWithAttempts } from '#wire/delivery.ts';

export function postEvents(app: ZodApp, deps: DepsOf<typeof sendSample>): void {
  app.post(
    '/events',
    {
      schema: {
        tags: ['Extension', 'Sandbox'],
        operationId: 'sendEvent',
        summary: 'Have an event sent to your own receiver as it really looks, though nothing happened',
        security: partnerOnly,
        body: z.object({ event: z.enum(sampleEvents, `must be one of ${sampleEvents.join(', ')}`) }),
        response: { 200: deliveryWithAttempts, ...failuresFor('WEBHOOK_URL_NOT_SET') },
      },
    },
    async (request) =>
      toDeliveryWithAttempts(await sendSample(deps, { partnerId: partnerOf(request).id, event: request.body.event })),
  );
}
