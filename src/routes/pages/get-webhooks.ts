import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { readReceivers } from '#modules/outbox';
import { listOwnDeliveries } from '#modules/webhooks';
import { deliveriesQuery, deliveryPages } from '#wire/delivery.ts';
import { optional } from '#wire/text.ts';
import { sendPage } from './page.ts';
import { enter, type PortalDeps, portalPage, refusePortal } from './portal.ts';
import { deliveriesPage } from './portal-deliveries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const day = optional(z.iso.date().refine((text) => text >= '1970-01-02' && text < '9999'));
const querystring = deliveriesQuery.omit({ limit: true, offset: true }).extend({ from: day, to: day });

/** When a day of Lagos begins. */
const beginOf = (date: string): Date => new Date(`${date}T00:00:00+01:00`);

/** The deliveries of the partner, found and paged as its API does. */
export function getWebhooks(app: ZodApp, deps: PortalDeps & DepsOf<typeof listOwnDeliveries>): void {
  app.get('/webhooks', { errorHandler: refusePortal, schema: { hide: true, querystring } }, async (request, reply) => {
    const visitor = await enter(deps, request);
    const { cursor, ...chosen } = request.query;
    const paged = { limit: 20, offset: 0 };
    const asked = {
      ...chosen,
      ...paged,
      cursor,
      partnerId: visitor.partner.id,
      from: chosen.from === undefined ? undefined : beginOf(chosen.from),
      to: chosen.to === undefined ? undefined : new Date(beginOf(chosen.to).getTime() + DAY_MS),
    };
    const [found, endpoints] = await Promise.all([
      listOwnDeliveries(deps, asked),
      readReceivers(deps.db, visitor.partner.id),
    ]);
    const { nextCursor } = deliveryPages.page(found, paged, ({ id }) => id);
    const shown = { found, endpoints, chosen, nextCursor, isFirst: cursor === undefined };
    return sendPage(reply, 200, portalPage(visitor, { tab: 'deliveries' }, deliveriesPage(visitor, shown)));
  });
}
