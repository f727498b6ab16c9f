import { z } from 'zod';
import type { ReceiverHealth } from '#modules/webhooks';
import { receiverKind } from '#wire/delivery.ts';
import { momentOut } from '#wire/moment.ts';
import { optionalReason } from '#wire/text.ts';
import { receiverState, rotation, toReceiverState } from '#wire/webhook.ts';

/** A rotation's body, which may be left out. */
export const rotationBody = rotation
  .extend({ reason: optionalReason })
  .nullish()
  .transform((given) => given ?? { immediately: false });

export const receiverParams = z.object({ ownerId: z.uuid() });

export const receiverShape = z.object({
  ownerId: z.uuid(),
  ownerKind: receiverKind,
  url: z.string().optional(),
  ...receiverState,
  breaker: z.object({
    state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
    failures: z.int().meta({ description: 'In a row' }),
    failingSince: momentOut.optional(),
    until: momentOut.optional().meta({ description: 'While OPEN: when a delivery probes the receiver' }),
  }),
  createdAt: momentOut,
  updatedAt: momentOut,
});

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
