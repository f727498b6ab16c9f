import { z } from 'zod';
import type { ReceiverHealth } from '#modules/outbox';

const moment = z.iso.datetime();

export const receiverParams = z.object({ ownerId: z.uuid() });

export const receiverShape = z.object({
  ownerId: z.uuid(),
  ownerKind: z.enum(['PARTNER', 'APPLICATION']),
  url: z.string().optional(),
  status: z.enum(['ACTIVE', 'PAUSED']),
  pausedAt: moment.optional(),
  pausedBy: z.enum(['OPERATOR', 'OWNER', 'SYSTEM']).optional(),
  pauseReason: z.string().optional(),
  pending: z.int().meta({ description: 'Deliveries that wait, those being sent included' }),
  oldestDueAt: moment.optional().meta({ description: 'When the first of them is or was due' }),
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
  status: receiver.status,
  pausedAt: receiver.pausedAt?.toISOString(),
  pausedBy: receiver.pausedBy ?? undefined,
  pauseReason: receiver.pauseReason ?? undefined,
  pending: receiver.pending,
  oldestDueAt: receiver.oldestDueAt?.toISOString(),
  breaker: {
    ...receiver.breaker,
    failingSince: receiver.breaker.failingSince?.toISOString(),
    until: receiver.breaker.until?.toISOString(),
  },
  createdAt: receiver.createdAt.toISOString(),
  updatedAt: receiver.updatedAt.toISOString(),
});
