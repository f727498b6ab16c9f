import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { sendTestEvent } from '#modules/webhooks';
import { endpointParams } from '#wire/webhook.ts';
import { enterByForm, type PortalDeps, refusePortal, sealedBody } from './portal.ts';

/** Sends a test event to one endpoint. Then the page shows its delivery. */
export function postWebhooksEndpointsTest(app: ZodApp, deps: PortalDeps & DepsOf<typeof sendTestEvent>): void {
  const schema = { hide: true, params: endpointParams, body: sealedBody };
  app.post('/webhooks/endpoints/:id/test', { errorHandler: refusePortal, schema }, async (request, reply) => {
    const { partner } = await enterByForm(deps, request);
    const { id } = await sendTestEvent(deps, partner.id, request.params.id);
    return reply.redirect(`/webhooks/deliveries/${id}?sent=test`, 303);
  });
}
