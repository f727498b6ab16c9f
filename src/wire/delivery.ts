import { z } from 'zod';
import type { getDelivery, listDeliveries } from '#modules/outbox';
import { paging } from './paging.ts';
import { deliveryFilter } from './replay.ts';
import { optional } from './text.ts';

const moment = z.iso.datetime();

/** A delivery in a list, where `attempts` is how many have begun. */
export const deliveryShape = z.object({
  id: z.uuid(),
  eventId: z.uuid(),
  event: z.string(),
  reference: z.string(),
  ownerKind: z.enum(['PARTNER', 'APPLICATION']),
  ownerId: z.uuid(),
  status: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  attempts: z.int(),
  lastError: z.string().optional(),
  lastAttemptAt: moment.optional(),
  deliveredAt: moment.optional(),
  createdAt: moment,
  updatedAt: moment,
});

const attemptShape = z.object({
  number: z.int(),
  at: moment,
  statusCode: z.int().optional(),
  durationMs: z.int().optional(),
  error: z.string().optional(),
  response: z.string().optional(),
});

/** A delivery by itself, with each attempt. */
export const deliveryWithAttempts = deliveryShape.extend({ attempts: z.array(attemptShape) });

/** Which page of which deliveries. */
export const deliveriesQuery = paging.extend({
  ...deliveryFilter.shape,
  status: optional(z.enum(['PENDING', 'DELIVERED', 'FAILED'])),
});

export const deliveryParams = z.object({ id: z.uuid() });

type Row = Awaited<ReturnType<typeof listDeliveries>>['items'][number];
type RowWithHistory = Awaited<ReturnType<typeof getDelivery>>;

export const toDelivery = (row: Row): z.input<typeof deliveryShape> => ({
  ...row,
  lastError: row.lastError ?? undefined,
  lastAttemptAt: row.lastAttemptAt?.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString(),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const toDeliveryWithAttempts = (row: RowWithHistory): z.input<typeof deliveryWithAttempts> => ({
  ...toDelivery(row),
  attempts: row.history.map(({ number, at, statusCode, durationMs, error, response }) => ({
    number,
    at: at.toISOString(),
    statusCode: statusCode ?? undefined,
    durationMs: durationMs ?? undefined,
    error: error ?? undefined,
    response: response ?? undefined,
  })),
});
