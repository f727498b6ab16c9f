import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  getDelivery,
  listDeliveries,
  readRequest,
  replayDeliveries,
  resendDelivery,
  type WebhookRequest,
} from '#modules/webhooks';
import {
  deliveriesQuery,
  deliveryPages,
  deliveryParams,
  deliveryShape,
  deliveryWithAttempts,
  replayBody,
  replayShape,
  toDelivery,
  toDeliveryWithAttempts,
  toReplay,
} from '#wire/delivery.ts';
import { listOf } from '#wire/paging.ts';
import { credential, personal } from '#wire/personal.ts';
import { optional, optionalReason } from '#wire/text.ts';
import { optionalReasonBody } from './shapes.ts';

/** What an attempt of a delivery sends. */
const sentShape = z.object({
  body: personal(z.string(), 'text')
    .optional()
    .meta({ description: 'The exact bytes, which are signed, as text; left out once they are not kept any more' }),
  headers: z.record(z.string(), z.string()).meta({
    description: 'Those of ours, but for the signatures; of the span another one goes out each time',
    example: { 'user-agent': 'PayTag-Webhooks/1' },
  }),
  signatures: z.record(z.string(), credential(z.string())).meta({
    description: 'The headers that sign it, made with today’s secret: their holder can send it again',
    example: { 'webhook-signature': 'v1,ODrd0FKy4NRL4o7onP0W5bCGRg82P6W2UHscaIbKF6w=' },
  }),
  ownHeaders: z
    .array(z.string())
    .meta({ description: 'Names of the headers that its owner added; what they hold is theirs' }),
});

const SIGNS = /signature/i;

const toSent = ({ body, headers, ownHeaders }: WebhookRequest): z.input<typeof sentShape> => {
  const all = Object.entries(headers);
  return {
    body: body ?? undefined,
    headers: Object.fromEntries(all.filter(([name]) => !SIGNS.test(name))),
    signatures: Object.fromEntries(all.filter(([name]) => SIGNS.test(name))),
    ownHeaders,
  };
};

const shape = deliveryWithAttempts.extend({
  request: sentShape.meta({ description: 'What the latest attempt sent, or what the first will' }),
});

export function getDeliveriesById(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readDelivery>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/deliveries/:id',
    {
      schema: {
        operationId: 'getDelivery',
        summary: 'A webhook delivery with each of its attempts, and what is sent: headers, body and signature',
        params: deliveryParams,
        response: { 200: shape, ...failuresFor('DELIVERY_NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { request, ...delivery } = await readLong(actor, async (db) => readDelivery({ ...deps, db }, params.id));
      return { ...toDeliveryWithAttempts(delivery), request: toSent(request) };
    },
  );
}

const body = replayBody
  .extend({ partnerId: optional(z.uuid()), applicationId: optional(z.uuid()), reason: optionalReason })
  .refine(({ partnerId, applicationId }) => partnerId === undefined || applicationId === undefined, {
    path: ['applicationId'],
    error: 'give this or partnerId, not both',
  })
  .meta({ example: { event: 'wallet.credited', error: 'status 5xx', reason: 'they lost some', dryRun: true } });

export function postDeliveriesReplay(app: ZodApp, deps: DepsOf<typeof replayDeliveries>): void {
  app.post(
    '/deliveries/replay',
    {
      schema: {
        operationId: 'replayDeliveries',
        summary: 'Deliver the events of the deliveries that match once more; without an owner, of all receivers',
        body,
        response: { 200: replayShape },
      },
    },
    async (request) => toReplay(await replayDeliveries(deps, { ...request.body, actor: request.actor })),
  );
}

export function postDeliveriesResend(app: ZodApp, deps: DepsOf<typeof resendDelivery>): void {
  app.post(
    '/deliveries/:id/resend',
    {
      schema: {
        operationId: 'resendDelivery',
        summary: 'Deliver an event once more: a new delivery with attempts of its own',
        params: deliveryParams,
        body: optionalReasonBody,
        response: {
          200: deliveryWithAttempts,
          ...failuresFor('DELIVERY_NOT_FOUND', 'DELIVERY_PURGED', 'ENDPOINT_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const resending = { ...request.body, actor: request.actor, deliveryId: request.params.id };
      return toDeliveryWithAttempts(await resendDelivery(deps, resending));
    },
  );
}

const query = deliveriesQuery.extend({
  partnerId: optional(z.uuid()),
  applicationId: optional(z.uuid()),
  waiting: optional(z.enum(['DUE', 'HELD'])).meta({
    description:
      'Of those that are PENDING. DUE: to be sent, now or again later. HELD: it waits for its receiver, which is paused or has no URL, or for an earlier one of its wallet',
  }),
});

export function getDeliveries(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        summary: 'Find webhook deliveries, newest first',
        querystring: query,
        response: { 200: listOf(deliveryShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listDeliveries(db, request.query));
      return deliveryPages.page(found, request.query, toDelivery);
    },
  );
}

/** A delivery with every attempt, and what it sends. @throws DomainError DELIVERY_NOT_FOUND */
export async function readDelivery(
  deps: { db: Database; keyring: Keyring; clock: Clock },
  id: string,
): Promise<Awaited<ReturnType<typeof getDelivery>> & { request: WebhookRequest }> {
  const delivery = await getDelivery(deps.db, id);
  return { ...delivery, request: await readRequest(deps, { deliveryId: id, ownerId: delivery.ownerId }) };
}
