import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { readReceivers } from '#modules/outbox';
import { getDelivery, readRequest } from '#modules/webhooks';
import { deliveryParams } from '#wire/delivery.ts';
import { sendPage } from './page.ts';
import { enter, type PortalDeps, portalPage, refusePortal } from './portal.ts';
import { deliveryPage } from './portal-delivery.ts';

const querystring = z.object({ sent: z.unknown().optional() });

/** One delivery: its attempts, what was sent and how that is signed. */
export function getWebhooksDeliveries(app: ZodApp, deps: PortalDeps & DepsOf<typeof readRequest>): void {
  const schema = { hide: true, params: deliveryParams, querystring };
  app.get('/webhooks/deliveries/:id', { errorHandler: refusePortal, schema }, async (request, reply) => {
    const visitor = await enter(deps, request);
    const { id: ownerId } = visitor.partner;
    const deliveryId = request.params.id;
    const [delivery, sent, endpoints] = await Promise.all([
      getDelivery(deps.db, deliveryId, ownerId),
      readRequest(deps, { deliveryId, ownerId }),
      readReceivers(deps.db, ownerId),
    ]);
    const endpoint = endpoints.find(({ id }) => id === delivery.endpointId);
    const shown = { delivery, request: sent, endpoint, justSent: request.query.sent };
    const place = { tab: 'deliveries', isList: false } as const;
    return sendPage(reply, 200, portalPage(visitor, place, deliveryPage(visitor, shown)));
  });
}
