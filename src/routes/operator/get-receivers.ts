import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { listReceivers } from '#modules/webhooks';
import { receiverKind } from '#wire/delivery.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { breakerState, listedReceiverShape, receiverStatus, toListedReceiver } from './shapes/receiver.ts';

const pages = pagedBy('receivers', uuidKey);

const querystring = pages.query.extend({
  ownerKind: optional(receiverKind),
  status: optional(receiverStatus),
  breaker: optional(breakerState).meta({
    description: 'OPEN: it fails, and nothing is sent; HALF_OPEN: a single delivery probes it',
  }),
});

export function getReceivers(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/receivers',
    {
      schema: {
        operationId: 'listReceivers',
        summary: 'The webhook endpoints of all partners and applications and how they are doing, newest first',
        querystring,
        response: { 200: listOf(listedReceiverShape) },
      },
    },
    async ({ actor, query }) =>
      pages.page(await readLong(actor, async (db) => listReceivers({ db, clock }, query)), query, toListedReceiver),
  );
}
