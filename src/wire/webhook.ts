import { z } from 'zod';
import type { Clock } from '#lib/clock.ts';
import type { NewWebhookSecret } from '#modules/clients';
import type { ReceiverHealth } from '#modules/webhooks';
import { handoverShape, toHandover } from './client-secret.ts';
import { momentOut } from './moment.ts';
import { personal } from './personal.ts';
import { optional, optionalReason, shownName, webUrl } from './text.ts';

/** Null or empty: none. It must be said, so that an empty body takes no URL away. Blanks are trimmed before. */
export const webhookChange = z.object({
  url: z
    .preprocess((given) => (given === '' ? null : given), webUrl.nullable())
    .meta({ example: 'https://acme.example/webhooks' }),
});

/** The reason if the owner gave none. */
const REASON = 'paused by its owner';

/** Why its owner pauses it; the body may be left out. */
export const pauseBody = z
  .object({ reason: optionalReason })
  .nullish()
  .transform((given) => ({ reason: given?.reason ?? REASON }));

/** What a rotation may be asked for. */
export const rotation = z.object({
  immediately: z.boolean().default(false).meta({
    description: 'The previous secret stops signing at once, instead of signing with the new one for a while',
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

/** The same to an operator; in live it says where the secret went. */
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

/** The receiver's status and its pending deliveries, for its owner and for the operator. */
export const receiverState = {
  status: z.enum(['ACTIVE', 'PAUSED']),
  pausedAt: momentOut.optional(),
  pausedBy: z.enum(['OPERATOR', 'OWNER', 'SYSTEM']).optional(),
  pauseReason: personal(z.string(), 'prose').optional(),
  pending: z.int().meta({ description: 'Pending deliveries, those being sent included' }),
  pendingIsExact: z
    .literal(false)
    .optional()
    .meta({ description: 'Where pending is an estimate, of more than 10000; left out where it is exact' }),
  oldestDueAt: momentOut.optional().meta({ description: 'When the first of them is or was due' }),
};

/** The receiver's status and its pending deliveries. */
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
    description: 'The addresses and ranges that we send from; empty if they are not published',
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

const HEADERS_MAX = 20;

const NAME_MAX = 64;

const HEADERS_BYTES_MAX = 4096;

const RATE_MAX = 1000;

/** What a partner's endpoint may ask for. */
const partnerEvents = [
  'transaction.status',
  'wallet.credited',
  'wallet.debited',
  'delivery.failed',
  'endpoint.paused',
  'endpoint.recovered',
  'dispute.opened',
  'dispute.expired',
  'dispute.decided',
  'payout.sent',
  'payout.successful',
  'payout.failed',
  'payout.reversed',
] as const;

/** Set by us, or by HTTP itself. */
const reserved = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'r-signature',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

const isReserved = (name: string): boolean => reserved.has(name) || /^(webhook|proxy)-/.test(name);

const headerName = z
  .string()
  .max(NAME_MAX, `must have at most ${NAME_MAX} characters`)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header')
  .transform((name) => name.toLowerCase())
  .refine((name) => !isReserved(name), 'is a header of ours, or of HTTP itself');

const headerValue = z
  .string()
  .max(2048, 'must have at most 2048 characters')
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII, not blank at its ends');

const header = z.tuple([headerName, headerValue]);

/** The headers of a request, by their names in lower case; what is wrong with one is said of it, by the name that it was given. */
const headers = z
  .record(z.string(), z.unknown())
  .refine((given) => Object.keys(given).length <= HEADERS_MAX, { error: `must be at most ${HEADERS_MAX}`, abort: true })
  .transform((given, context) =>
    Object.entries(given).flatMap(([name, value]) => {
      const { data, error } = header.safeParse([name, value]);
      for (const { message } of error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [shortened(name)], message });
      return data === undefined ? [] : [data];
    }),
  )
  .refine((all) => new Set(all.map(([name]) => name)).size === all.length, 'must not hold a name twice')
  .refine(
    (all) => all.reduce((bytes, [name, value]) => bytes + name.length + value.length, 0) <= HEADERS_BYTES_MAX,
    `must have at most ${HEADERS_BYTES_MAX} characters together`,
  )
  .transform((all): Record<string, string> => Object.fromEntries(all));

const shortened = (name: string): string => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name);

const chosen = {
  description: shownName(200).meta({ example: 'Bookkeeping' }),
  events: z
    .array(z.enum(partnerEvents, `must be one of ${partnerEvents.join(', ')}`))
    .max(partnerEvents.length, 'names an event twice')
    .meta({
      description:
        'Those it is sent; none named: all, except those about endpoints, disputes and payouts: delivery.failed, endpoint.…, dispute.…, payout.…',
      example: ['wallet.credited'],
    }),
  headers: headers.meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Sent with each request. They are kept encrypted, and only their names are shown',
    example: { Authorization: 'Bearer their-own-token' },
  }),
  rate: z
    .int()
    .min(1)
    .max(RATE_MAX)
    .meta({ description: 'Requests a second, at most; without one as many as it takes', example: 50 }),
  ordered: z
    .boolean()
    .meta({ description: 'Of one wallet one event at a time, in order: each waits until the one before has ended' }),
};

/** A new endpoint. */
export const newEndpoint = z.object({
  url: webUrl.meta({ example: 'https://acme.example/bookkeeping' }),
  description: optional(chosen.description),
  events: optional(chosen.events),
  headers: optional(chosen.headers),
  rate: optional(chosen.rate),
  ordered: optional(chosen.ordered),
});

/** What is null is taken away, what is left out stays. */
export const endpointChange = z.object({
  url: optional(webUrl).meta({ example: 'https://acme.example/bookkeeping' }),
  description: chosen.description.nullable().optional(),
  events: chosen.events.nullable().optional(),
  headers: chosen.headers.nullable().optional(),
  rate: chosen.rate.nullable().optional(),
  ordered: optional(chosen.ordered),
});

export const endpointParams = z.object({ id: z.uuid() });

/** An endpoint of a partner, and how it is doing. */
export const endpointShape = z.object({
  id: z.uuid(),
  isDefault: z.boolean().meta({ description: 'It is the one that /v2/partner/webhook speaks of' }),
  url: z
    .string()
    .optional()
    .meta({ description: 'Without it events are kept', example: 'https://acme.example/bookkeeping' }),
  description: personal(z.string(), 'prose').optional(),
  events: z.array(z.string()).meta({ description: 'Those it is sent; none: all of the contract' }),
  headerNames: z.array(z.string()).meta({ description: 'Of the headers of its own', example: ['authorization'] }),
  rate: z.int().optional().meta({ description: 'Requests a second, at most' }),
  ordered: z.boolean(),
  ...receiverState,
  secret: z.object({
    since: momentOut,
    previousUntil: momentOut.optional().meta({ description: 'Until then the secret before it signs too' }),
  }),
  createdAt: momentOut,
  updatedAt: momentOut,
});

/** The same with its secret, which is in this answer and nowhere else. */
export const createdEndpoint = endpointShape.extend({ webhookSecret: rotatedSecretShape.shape.webhookSecret });

/** All of a partner. */
export const endpointsShape = z.object({ items: z.array(endpointShape), count: z.int() });

/** An endpoint, for its owner. A previous secret is named while it still signs. */
export const toEndpoint = (endpoint: ReceiverHealth, now: Date): z.input<typeof endpointShape> => ({
  id: endpoint.id,
  isDefault: endpoint.isDefault,
  url: endpoint.url ?? undefined,
  description: endpoint.description ?? undefined,
  events: endpoint.events ?? [],
  headerNames: endpoint.headerNames ?? [],
  rate: endpoint.rate ?? undefined,
  ordered: endpoint.ordered,
  ...toReceiverState(endpoint),
  secret: {
    since: (endpoint.secretRotatedAt ?? endpoint.createdAt).toISOString(),
    previousUntil:
      endpoint.previousSecretUntil !== null && endpoint.previousSecretUntil > now
        ? endpoint.previousSecretUntil.toISOString()
        : undefined,
  },
  createdAt: endpoint.createdAt.toISOString(),
  updatedAt: endpoint.updatedAt.toISOString(),
});
