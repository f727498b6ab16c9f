import { z } from 'zod';
import type { Clock } from '#lib/clock.ts';
import type { NewWebhookSecret } from '#modules/clients';
import type { ReceiverHealth } from '#modules/webhooks';
import { handoverShape, toHandover } from './handover.ts';
import { momentOut } from './moment.ts';
import { personal } from './personal.ts';
import { optionalReason, webUrl } from './text.ts';

/** Null or empty: none. It must be said, so that an empty body takes no URL away. Blanks are trimmed before. */
export const webhookChange = z.object({
  url: z
    .preprocess((given) => (given === '' ? null : given), webUrl.nullable())
    .meta({ example: 'https://acme.example/webhooks' }),
});

/** Told where its owner said nothing. */
const REASON = 'paused by its owner';

/** Why its owner pauses it; the body may be left out. */
export const pauseBody = z
  .object({ reason: optionalReason })
  .nullish()
  .transform((given) => ({ reason: given?.reason ?? REASON }));

/** What a rotation may be asked for. */
export const rotation = z.object({
  immediately: z.boolean().default(false).meta({
    description: 'The secret so far stops signing at once, instead of signing beside the new one for a while',
  }),
});

/** The same as a body, which may be left out. */
export const rotationBody = rotation.nullish().transform((given) => given ?? { immediately: false });

/** The new secret is in this answer and nowhere else. */
export const rotatedSecretShape = z.object({
  webhookSecret: z.string(),
  previousUntil: momentOut.optional().meta({ description: 'Until then the secret before it signs too' }),
});

/** The one answer that holds a new webhook secret. */
export const toRotatedSecret = ({
  secret = '',
  previousSecretUntil,
}: NewWebhookSecret): z.input<typeof rotatedSecretShape> => ({
  webhookSecret: secret,
  previousUntil: previousSecretUntil?.toISOString(),
});

/** To an operator, who in live is told where it went. */
export const secretForOwnerShape = rotatedSecretShape.extend({
  webhookSecret: z.string().optional().meta({ description: 'Shown this once; in live to its owner alone' }),
  handover: handoverShape.optional(),
});

/** The same to an operator. */
export const toSecretForOwner = (rotated: NewWebhookSecret): z.input<typeof secretForOwnerShape> => ({
  webhookSecret: rotated.secret,
  previousUntil: rotated.previousSecretUntil?.toISOString(),
  handover: toHandover(rotated),
});

/** Whether a receiver is sent to, and what waits for it: for its owner and for the operator. */
export const receiverState = {
  status: z.enum(['ACTIVE', 'PAUSED']),
  pausedAt: momentOut.optional(),
  pausedBy: z.enum(['OPERATOR', 'OWNER', 'SYSTEM']).optional(),
  pauseReason: personal(z.string(), 'prose').optional(),
  pending: z.int().meta({ description: 'Deliveries that wait, those being sent included' }),
  pendingIsExact: z
    .literal(false)
    .optional()
    .meta({ description: 'Where pending is an estimate, of more than 10000; left out where it is exact' }),
  oldestDueAt: momentOut.optional().meta({ description: 'When the first of them is or was due' }),
};

/** Whether a receiver is sent to, and what waits for it. */
export const toReceiverState = (receiver: ReceiverHealth) => ({
  status: receiver.status,
  pausedAt: receiver.pausedAt?.toISOString(),
  pausedBy: receiver.pausedBy ?? undefined,
  pauseReason: receiver.pauseReason ?? undefined,
  pending: receiver.pending,
  pendingIsExact: receiver.pendingIsExact ? undefined : (false as const),
  oldestDueAt: receiver.oldestDueAt?.toISOString(),
});

/** Where a receiver's events go. Of its secret only what does not give it away. */
export const webhookShape = z.object({
  url: z
    .string()
    .optional()
    .meta({ description: 'Without it events are kept', example: 'https://acme.example/webhooks' }),
  ...receiverState,
  secret: z.object({
    since: momentOut,
    previousUntil: momentOut.optional().meta({ description: 'Until then the secret before it signs too' }),
  }),
  sourceAddresses: z.array(z.string()).meta({
    description: 'The addresses and ranges that we send from; empty where they are not told',
    example: ['203.0.113.7', '2001:db8:7::/64'],
  }),
  createdAt: momentOut,
  updatedAt: momentOut,
});

/** What a view of a receiver takes from the server it is on. */
export interface WebhookViewDeps {
  clock: Clock;
  webhooks: { sourceAddresses: readonly string[] };
}

/** Where a receiver’s events go. A previous secret is named while it still signs. */
export const toWebhook = (
  receiver: ReceiverHealth,
  { clock, webhooks }: WebhookViewDeps,
): z.input<typeof webhookShape> => ({
  url: receiver.url ?? undefined,
  ...toReceiverState(receiver),
  secret: {
    since: (receiver.secretRotatedAt ?? receiver.createdAt).toISOString(),
    previousUntil:
      receiver.previousSecretUntil !== null && receiver.previousSecretUntil > clock.now()
        ? receiver.previousSecretUntil.toISOString()
        : undefined,
  },
  sourceAddresses: [...webhooks.sourceAddresses],
  createdAt: receiver.createdAt.toISOString(),
  updatedAt: receiver.updatedAt.toISOString(),
});
