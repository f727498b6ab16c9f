import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getReceiver as findReceiver, listEndpoints, pauseReceiver, resumeReceiver } from '#modules/webhooks';
import { receiverKind } from '#wire/delivery.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, optionalReason } from '#wire/text.ts';
import { listNamedReceivers } from './enquiries/list-receivers.ts';
import { reasonBody } from './shapes/reason.ts';
import {
  breakerState,
  endpointOfOwner,
  listedReceiverShape,
  receiverParams,
  receiverShape,
  receiverStatus,
  receiverWithEndpoints,
  toListedReceiver,
  toReceiver,
  toReceiverWithEndpoints,
} from './shapes/receiver.ts';

export function getReceiversByOwnerId(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/receivers/:ownerId',
    {
      schema: {
        operationId: 'getReceiver',
        summary: 'The webhook receiver of a partner or application, with all its endpoints, and how they are doing',
        params: receiverParams,
        response: { 200: receiverWithEndpoints, ...failuresFor('RECEIVER_NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      readLong(actor, async (db) => {
        const receiver = await findReceiver(db, params.ownerId, clock);
        return toReceiverWithEndpoints(receiver, await listEndpoints({ db, clock }, params.ownerId), clock.now());
      }),
  );
}

export function postReceiversPause(app: ZodApp, deps: DepsOf<typeof pauseReceiver>): void {
  app.post(
    '/receivers/:ownerId/pause',
    {
      schema: {
        operationId: 'pauseReceiver',
        summary: 'Send nothing to a receiver until it is resumed; its events are kept',
        params: receiverParams,
        body: reasonBody.extend(endpointOfOwner),
        response: { 200: receiverShape, ...failuresFor('RECEIVER_NOT_FOUND', 'ENDPOINT_NOT_FOUND') },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, actor: request.actor, by: 'OPERATOR' } as const;
      return toReceiver(await pauseReceiver(deps, change));
    },
  );
}

const body = z.object({ reason: optionalReason, ...endpointOfOwner }).nullish();

export function postReceiversResume(app: ZodApp, deps: DepsOf<typeof resumeReceiver>): void {
  app.post(
    '/receivers/:ownerId/resume',
    {
      schema: {
        operationId: 'resumeReceiver',
        summary: 'Send to a receiver again, what was kept for it first of all',
        params: receiverParams,
        body,
        response: { 200: receiverShape, ...failuresFor('RECEIVER_NOT_FOUND', 'ENDPOINT_NOT_FOUND') },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, actor: request.actor, by: 'OPERATOR' } as const;
      return toReceiver(await resumeReceiver(deps, change));
    },
  );
}

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
