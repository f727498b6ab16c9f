import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Listed } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findApplicationNames, findPartnerNames } from '#modules/clients';
import {
  getReceiver as findReceiver,
  listEndpoints,
  listReceivers,
  pauseReceiver,
  type ReceiverHealth,
  resumeReceiver,
} from '#modules/webhooks';
import { receiverKind } from '#wire/delivery.ts';
import { momentOut } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, optionalReason } from '#wire/text.ts';
import { endpointShape, receiverState, rotation, toEndpoint, toReceiverState } from '#wire/webhook.ts';
import { reasonBody } from './shapes.ts';

/** A rotation's body, which may be left out. */
export const rotationBody = rotation
  .extend({ reason: optionalReason })
  .nullish()
  .transform((given) => given ?? { immediately: false });

const receiverParams = z.object({ ownerId: z.uuid() });

const receiverStatus = z.enum(['ACTIVE', 'PAUSED']);

const breakerState = z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']);

const receiverShape = z.object({
  ownerId: z.uuid(),
  ownerKind: receiverKind,
  url: z.string().optional(),
  ...receiverState,
  breaker: z.object({
    state: breakerState,
    failures: z.int().meta({ description: 'In a row' }),
    failingSince: momentOut.optional(),
    until: momentOut.optional().meta({ description: 'While OPEN: when a delivery probes the receiver' }),
  }),
  createdAt: momentOut,
  updatedAt: momentOut,
});

/** A receiver with all endpoints of its owner, the default one first. */
const receiverWithEndpoints = receiverShape.extend({ endpoints: z.array(endpointShape) });

/** The same as an answer. */
const toReceiverWithEndpoints = (
  receiver: ReceiverHealth,
  endpoints: readonly ReceiverHealth[],
  now: Date,
): z.input<typeof receiverWithEndpoints> => ({
  ...toReceiver(receiver),
  endpoints: endpoints.map((endpoint) => toEndpoint(endpoint, now)),
});

/** One of its owner's endpoints; without one the default one. */
const endpointOfOwner = {
  endpointId: optional(z.uuid()).meta({ description: 'One of its endpoints; without one, the default one' }),
};

/** A receiver with its circuit breaker. */
const toReceiver = (receiver: ReceiverHealth): z.input<typeof receiverShape> => ({
  ownerId: receiver.ownerId,
  ownerKind: receiver.ownerKind,
  url: receiver.url ?? undefined,
  ...toReceiverState(receiver),
  breaker: {
    ...receiver.breaker,
    failingSince: receiver.breaker.failingSince?.toISOString(),
    until: receiver.breaker.until?.toISOString(),
  },
  createdAt: receiver.createdAt.toISOString(),
  updatedAt: receiver.updatedAt.toISOString(),
});

/** An endpoint in a list. */
const listedReceiverShape = z.object({
  endpointId: z.uuid(),
  isDefault: z.boolean(),
  ownerName: z.string(),
  ...receiverShape.shape,
});

const toListedReceiver = (receiver: NamedReceiver): z.input<typeof listedReceiverShape> => ({
  endpointId: receiver.id,
  isDefault: receiver.isDefault,
  ownerName: receiver.ownerName,
  ...toReceiver(receiver),
});

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

/** An endpoint of a partner or an application, how it is doing, and what its owner is called. */
export interface NamedReceiver extends ReceiverHealth {
  ownerName: string;
}

/** Endpoints of all partners and applications, newest first, with their owners' names. */
async function listNamedReceivers(
  deps: { db: Database; clock: Clock },
  asked: Parameters<typeof listReceivers>[1],
): Promise<Listed<NamedReceiver, string>> {
  const found = await listReceivers(deps, asked);
  const ownersOf = (kind: ReceiverHealth['ownerKind']) => [
    ...new Set(found.items.filter(({ ownerKind }) => ownerKind === kind).map(({ ownerId }) => ownerId)),
  ];
  const [partners, applications] = await Promise.all([
    findPartnerNames(deps.db, ownersOf('PARTNER')),
    findApplicationNames(deps.db, ownersOf('APPLICATION')),
  ]);
  const nameOf = ({ ownerId }: ReceiverHealth) => partners.get(ownerId) ?? applications.get(ownerId) ?? '';
  return { ...found, items: found.items.map((one) => ({ ...one, ownerName: nameOf(one) })) };
}
