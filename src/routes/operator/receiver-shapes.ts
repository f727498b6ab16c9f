import { z } from 'zod';
import type { ReceiverHealth } from '#modules/outbox';
import { receiverState, rotation, toReceiverState } from '#wire/webhook.ts';
import { optionalReason } from './wallet-shapes.ts';

const moment = z.iso.datetime();

/** A rotation's body, which may be left out. */
export const rotationBody = rotation
  .extend({ reason: optionalReason })
  .nullish()
  .transform((given) => given ?? { immediately: false });

export const receiverParams = z.object({ ownerId: z.uuid() });

export const receiverShape = z.object({
  ownerId: z.uuid(),
  ownerKind: z.enum(['PARTNER', 'APPLICATION']),
  url: z.string().optional(),
  ...receiverState,
  breaker: z.object({
    state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
    failures: z.int().meta({ description: 'In a row' }),
    failingSince: moment.optional(),
    until: moment.optional().meta({ description: 'While OPEN: when a delivery probes the receiver' }),
  }),
  createdAt: moment,
  updatedAt: moment,
});

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
