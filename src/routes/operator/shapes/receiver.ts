import { z } from 'zod';
import type { ReceiverHealth } from '#modules/webhooks';
import { receiverKind } from '#wire/delivery.ts';
import { momentOut } from '#wire/moment.ts';
import { optional, optionalReason } from '#wire/text.ts';
import { receiverState, rotation, toReceiverState } from '#wire/webhook.ts';
import { endpointShape, toEndpoint } from '#wire/webhook-endpoint.ts';
import type { NamedReceiver } from '../enquiries/list-receivers.ts';

/** A rotation's body, which may be left out. */
export const rotationBody = rotation
  .extend({ reason: optionalReason })
  .nullish()
  .transform((given) => given ?? { immediately: false });

export const receiverParams = z.object({ ownerId: z.uuid() });

export const receiverStatus = z.enum(['ACTIVE', 'PAUSED']);
export const breakerState = z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']);

export const receiverShape = z.object({
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
export const receiverWithEndpoints = receiverShape.extend({ endpoints: z.array(endpointShape) });

/** The same as an answer. */
export const toReceiverWithEndpoints = (
  receiver: ReceiverHealth,
  endpoints: readonly ReceiverHealth[],
  now: Date,
): z.input<typeof receiverWithEndpoints> => ({
  ...toReceiver(receiver),
  endpoints: endpoints.map((endpoint) => toEndpoint(endpoint, now)),
});

/** One of its owner's endpoints; without one the default one. */
export const endpointOfOwner = {
  endpointId: optional(z.uuid()).meta({ description: 'One of its endpoints; without one, the default one' }),
};

/** A receiver with its circuit breaker. */
export const toReceiver = (receiver: ReceiverHealth): z.input<typeof receiverShape> => ({
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
export const listedReceiverShape = z.object({
  endpointId: z.uuid(),
  isDefault: z.boolean(),
  ownerName: z.string(),
  ...receiverShape.shape,
});

export const toListedReceiver = (receiver: NamedReceiver): z.input<typeof listedReceiverShape> => ({
  endpointId: receiver.id,
  isDefault: receiver.isDefault,
  ownerName: receiver.ownerName,
  ...toReceiver(receiver),
});
