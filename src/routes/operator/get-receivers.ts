import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listNamedReceivers } from '#modules/enquiries';
import { receiverKind } from '#wire/delivery.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { breakerState, listedReceiverShape, receiverStatus, toListedReceiver } from './shapes/receiver.ts';

const pages = pagedBy('receivers', uuidKey);

const querystring = pages.query.extend({
  ownerKind: optional(receiverKind),
  partnerId: optional(z.uuid()),
  applicationId: optional(z.uuid()),
  status: optional(receiverStatus),
  failing: optional(z.enum(['true'])).meta({
    description: 'Only those that fail at the moment: whose breaker is open or half open',
  }),
  breaker: optional(breakerState).meta({
    description: 'OPEN: it fails, and nothing is sent; HALF_OPEN: a single delivery probes it',
  }),
  waiting: optional(z.enum(['true'])).meta({ description: 'Only those for which deliveries wait' }),
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
    async ({ actor, query }) => {
      const asked = { ...query, failing: query.failing === 'true', waiting: query.waiting === 'true' };
      const found = await readLong(actor, async (db) => listNamedReceivers({ db, clock }, asked));
      return pages.page(found, query, toListedReceiver);
    },
  );
}
