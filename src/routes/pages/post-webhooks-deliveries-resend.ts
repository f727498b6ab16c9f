import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { resendDelivery } from '#modules/webhooks';
import { deliveryParams } from '#wire/delivery.ts';
import { enterByForm, type PortalDeps, refusePortal, sealedBody } from './portal.ts';

/** Delivers an event once more. Then the page shows the new delivery. */
export function postWebhooksDeliveriesResend(app: ZodApp, deps: PortalDeps & DepsOf<typeof resendDelivery>): void {
  const schema = { hide: true, params: deliveryParams, body: sealedBody };
  app.post('/webhooks/deliveries/:id/resend', { errorHandler: refusePortal, schema }, async (request, reply) => {
    const { partner } = await enterByForm(deps, request);
    const asked = { actor: request.credential, deliveryId: request.params.id, ownerId: partner.id };
    const { id } = await resendDelivery(deps, { ...asked, reason: 'asked for on the webhook pages' });
    return reply.redirect(`/webhooks/deliveries/${id}?sent=resend`, 303);
  });
}
