import { z } from 'zod';
import type { getDelivery, listDeliveries, replayDeliveries } from '#modules/webhooks';
import { eventNames } from './event-names.ts';
import { momentIn, momentOut } from './moment.ts';
import { pagedBy, uuidKey } from './paging.ts';
import { personal } from './personal.ts';
import { optional, text } from './text.ts';

export const receiverKind = z.enum(['PARTNER', 'APPLICATION']);

const deliveryStatus = z.enum(['PENDING', 'DELIVERED', 'FAILED']);

/** How far a delivery has come. */
export const deliveryProgress = {
  status: deliveryStatus,
  attempts: z.int(),
  lastError: z.string().optional(),
  lastAttemptAt: momentOut.optional(),
  deliveredAt: momentOut.optional(),
  createdAt: momentOut,
  updatedAt: momentOut,
};

/** A delivery in a list, where `attempts` is how many have begun. */
export const deliveryShape = z.object({
  id: z.uuid(),
  eventId: z.uuid(),
  event: z.string().meta({ enum: eventNames, example: 'wallet.credited' }),
  reference: z.string(),
  replayOf: z.uuid().optional().meta({
    description: 'The failed delivery whose event this one resends automatically, now that its receiver is healthy',
  }),
  ownerKind: receiverKind,
  ownerId: z.uuid(),
  endpointId: z.uuid().meta({ description: 'The webhook endpoint it goes to' }),
  ...deliveryProgress,
});

const attemptShape = z.object({
  number: z.int(),
  at: momentOut,
  url: z.string().optional().meta({
    description:
      'Where it went, which may be elsewhere than where its receiver is now; left out of attempts before this was kept',
    example: 'https://acme.example/webhooks',
  }),
  statusCode: z.int().optional(),
  durationMs: z.int().optional(),
  error: z.string().optional(),
  response: personal(z.string(), 'text').optional(),
});

/** One delivery with each attempt. */
export const deliveryWithAttempts = deliveryShape.extend({ attempts: z.array(attemptShape) });

/** Selects deliveries by their events and attempts. */
const deliveryFilter = z.object({
  endpointId: optional(z.uuid()).meta({ description: 'Only those to this webhook endpoint' }),
  event: optional(text(100)).meta({ description: 'Name of the event, as wallet.credited' }),
  error: optional(text(100)).meta({
    description: 'What lastError says, as timeout; status 5xx means each such status',
  }),
  from: optional(momentIn).meta({ description: 'The event was written then or later' }),
  to: optional(momentIn).meta({ description: 'The event was written before' }),
});

/** Lists of deliveries. */
export const deliveryPages = pagedBy('deliveries', uuidKey);

/** Which page of which deliveries. */
export const deliveriesQuery = deliveryPages.query.extend({
  ...deliveryFilter.shape,
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
  status: optional(deliveryStatus),
});

/** The path of an operation on one delivery. */
export const deliveryParams = z.object({ id: z.uuid() });

type Row = Awaited<ReturnType<typeof listDeliveries>>['items'][number];

type RowWithHistory = Awaited<ReturnType<typeof getDelivery>>;

type Progress = Pick<Row, keyof typeof deliveryProgress>;

/** How far a delivery has come. */
export const toDeliveryProgress = (row: Progress) => ({
  status: row.status,
  attempts: row.attempts,
  lastError: row.lastError ?? undefined,
  lastAttemptAt: row.lastAttemptAt?.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString(),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A delivery in a list, for its owner and for the operator. */
export const toDelivery = (row: Row): z.input<typeof deliveryShape> => ({
  ...row,
  replayOf: row.replayOf ?? undefined,
  ...toDeliveryProgress(row),
});

/** The same with what became of each attempt. */
export const toDeliveryWithAttempts = (row: RowWithHistory): z.input<typeof deliveryWithAttempts> => ({
  ...toDelivery(row),
  attempts: row.history.map(({ number, at, url, statusCode, durationMs, error, response }) => ({
    number,
    at: at.toISOString(),
    url: url ?? undefined,
    statusCode: statusCode ?? undefined,
    durationMs: durationMs ?? undefined,
    error: error ?? undefined,
    response: response ?? undefined,
  })),
});

/** What may be replayed, and whether this is only to be asked. */
export const replayBody = deliveryFilter.extend({
  status: optional(z.enum(['FAILED', 'DELIVERED'])).transform((status) => status ?? ('FAILED' as const)),
  after: optional(z.uuid()).meta({ description: 'Continues after this event: next of an earlier answer' }),
  dryRun: z.boolean().default(false).meta({ description: 'Only says what would be replayed' }),
});

export const replayShape = z.object({
  dryRun: z.boolean(),
  matched: z.int().meta({ description: 'Deliveries that match, whose event was not sent again since; 10000 at most' }),
  replayed: z.int().meta({ description: 'New deliveries: at most 1000 in one call, one for each event' }),
  left: z.int().meta({ description: 'Those that match and were not replayed' }),
  sample: z.array(z.uuid()).meta({ description: 'Ids of up to 20 that match, the oldest event first' }),
  next: z.uuid().optional().meta({ description: 'Send it as after to continue, while some are left' }),
});

/** The answer to a replay. `left` is what matched and was not replayed. */
export const toReplay = (done: Awaited<ReturnType<typeof replayDeliveries>>): z.input<typeof replayShape> => ({
  ...done,
  left: done.matched - done.replayed,
});
