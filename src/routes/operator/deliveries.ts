import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listDeliveries, replayDeliveries, resendDelivery } from '#modules/webhooks';
import {
  deliveriesQuery,
  deliveryPages,
  deliveryParams,
  deliveryShape,
  deliveryWithAttempts,
  toDelivery,
  toDeliveryWithAttempts,
} from '#wire/delivery.ts';
import { listOf } from '#wire/paging.ts';
import { replayBody, replayShape, toReplay } from '#wire/replay.ts';
import { optional, optionalReason } from '#wire/text.ts';
import { readDelivery } from './enquiries/read-delivery.ts';
import { optionalReasonBody } from './shapes/reason.ts';
import { sentShape, toSent } from './shapes/sent.ts';

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
