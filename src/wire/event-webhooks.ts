import { z } from 'zod';
import { eventExamples } from './event-examples.ts';
import { type EventName, eventNames } from './event-names.ts';
import { eventBodies } from './events.ts';

/** The description of an event, in addition to the shape of its body. */
interface EventWords {
  /** `/v2`: to partners. `/api`: to applications. */
  readonly surface: '/v2' | '/api';
  readonly summary: string;
  /** To whom it is sent, and what stands in it. */
  readonly description: string;
}

const CLAIM = '`reference` is the claim’s id, `data` the Claim.';
const OTHER_SIDE = 'To the application that did not act; of what the owner did in person, to both.';
const LINK = '`reference` is the link’s id.';
const TRANSACTION = '`reference` is the transaction’s, `data` the transaction.';

const TO_ANOTHER = 'To other endpoints of the same partner that name this event: to none that takes all.';

const TO_THOSE =
  'To endpoints of the partner of the wallet that received the money, where they name this event: to none that takes all. `reference` is the dispute’s id; what is said of it stands in `GET /v2/partner/dispute/{id}`.';

const OF_PAYOUT =
  'To endpoints of the wallet’s partner that name this event: to none that takes all. `reference` is the transaction’s, as `GET /v2/partner/transaction/{reference}` shows it.';

const ofApplications = (summary: string, description: string): EventWords => ({
  surface: '/api',
  summary,
  description,
});

/** Every event in words. */
export const eventWords: Readonly<Record<EventName, EventWords>> = {
  'wallet.credited': {
    surface: '/v2',
    summary: 'Money entered a wallet',
    description:
      'To the wallet’s partner: of a credit, a transfer, a payment to the account number, a refund. `data.Amount` is the effect on the wallet, the transaction’s `Net`; `Transaction.Amount` and `Fee` are those of the transaction over REST. `reference` is the wallet’s. For a refund, `Transaction.Reference` is the refund’s and `ExternalReference` the original’s. For a transfer both sides get our reference and the comment; only the sender’s side gets the sender’s own reference, as `ExternalReference`.',
  },
  'wallet.debited': {
    surface: '/v2',
    summary: 'Money left a wallet',
    description:
      'To the wallet’s partner. `data.Amount` is negative: the effect on the wallet, −(`Transaction.Amount` + `Fee`). `Transaction.Amount` and `Fee` are not signed, and those of the transaction over REST.',
  },
  'transaction.status': {
    surface: '/v2',
    summary: 'A payment at a gateway or a terminal succeeded',
    description:
      'To the partner. `reference` is the payment’s. `Terminal` is as it is after the payment; of a gateway payment all its texts are `""`.',
  },
  'webhook.test': {
    surface: '/v2',
    summary: 'A test that was asked for',
    description: 'To the partner who asked for it. No receiver takes it for money.',
  },
  'endpoint.paused': {
    surface: '/v2',
    summary: 'One of your endpoints was paused, not by you',
    description: `${TO_ANOTHER} Sent once; not for endpoints that you pause yourself.`,
  },
  'endpoint.recovered': {
    surface: '/v2',
    summary: 'One of your endpoints is well again',
    description: `${TO_ANOTHER} After \`endpoint.paused\` once it was resumed, after \`delivery.failed\` once it has taken its deliveries for a while; \`reference\` is that event’s.`,
  },
  'delivery.failed': {
    surface: '/v2',
    summary: 'One of your endpoints has not taken an event in five attempts',
    description: `${TO_ANOTHER} Sent for the first one, and not again before the endpoint is healthy; \`GET /v2/partner/webhook/deliveries?status=FAILED\` shows all. Not sent for \`webhook.test\`, nor for events about endpoints.`,
  },
  'dispute.opened': {
    surface: '/v2',
    summary: 'A transaction that reached a wallet of yours is disputed',
    description: `${TO_THOSE} The amount stays in the wallet; until \`RespondBy\` you can add evidence.`,
  },
  'dispute.expired': {
    surface: '/v2',
    summary: 'The time to answer a dispute is over',
    description: `${TO_THOSE} The amount stays in the wallet until the dispute is decided.`,
  },
  'dispute.decided': {
    surface: '/v2',
    summary: 'A dispute was decided',
    description: `${TO_THOSE} WON: the wallet keeps the money. LOST: \`Refunded\` went back, which \`wallet.debited\` reports too.`,
  },
  'payout.sent': {
    surface: '/v2',
    summary: 'A payout was sent',
    description: `${OF_PAYOUT} Its provider was asked to pay; the money stays held. Sent again if the provider could not be reached and the payout is resent.`,
  },
  'payout.successful': {
    surface: '/v2',
    summary: 'A payout was paid',
    description: `${OF_PAYOUT} \`wallet.debited\` says what left the wallet.`,
  },
  'payout.failed': {
    surface: '/v2',
    summary: 'A payout failed, and its money is available again',
    description: `${OF_PAYOUT} Nothing left the wallet, so there is no other event. \`FailureReason\` is that of the transaction.`,
  },
  'payout.reversed': {
    surface: '/v2',
    summary: 'A payout that was paid came back',
    description: `${OF_PAYOUT} \`wallet.credited\` says what came back.`,
  },
  CONSENT_REQUESTED: ofApplications(
    'An application asks to reach a subject under a tag',
    `To the tag’s application. ${CLAIM}`,
  ),
  CONSENT_CONFIRMED: ofApplications(
    'The tag’s owner said yes in person',
    `To the application that asked, which can approve now. ${CLAIM}`,
  ),
  CONSENT_APPROVED: ofApplications('A claim was approved', `${OTHER_SIDE} ${CLAIM}`),
  CONSENT_REJECTED: ofApplications('A claim was rejected', `${OTHER_SIDE} ${CLAIM}`),
  CONSENT_CANCELLED: ofApplications('A claim was taken back', `${OTHER_SIDE} ${CLAIM}`),
  CONSENT_EXPIRED: ofApplications('A claim expired without an answer', `To both applications. ${CLAIM}`),
  CONSENT_REVOKED: ofApplications('An approved claim ended', `${OTHER_SIDE} ${CLAIM}`),
  FEDERATION_CHALLENGE: ofApplications(
    'A link between two tags waits to be verified',
    `To the linked tag’s application. ${LINK} \`token\` is the code, where the method is OTP.`,
  ),
  FEDERATION_VERIFIED: ofApplications('A link was verified', `To the application that did not act. ${LINK}`),
  FEDERATION_REJECTED: ofApplications('A link was rejected', `To the application that did not act. ${LINK}`),
  FEDERATION_FAILED: ofApplications('Too many wrong codes ended a link', `To the linked tag’s application. ${LINK}`),
  FEDERATION_EXPIRED: ofApplications('A link was not verified in time', `To both applications. ${LINK}`),
  FEDERATION_REVOKED: ofApplications('A verified link ended', `To the application that did not act. ${LINK}`),
  TRANSACTION_INITIATED: ofApplications('Money is offered and waits for an answer', `To the receiver. ${TRANSACTION}`),
  TRANSACTION_ACCEPTED: ofApplications('The receiver took the money', `To the sender. ${TRANSACTION}`),
  TRANSACTION_REJECTED: ofApplications(
    'The receiver refused the money, which the sender has back',
    `To the sender. ${TRANSACTION}`,
  ),
  TRANSACTION_CANCELLED: ofApplications('The sender took the offer back', `To the receiver. ${TRANSACTION}`),
  TRANSACTION_EXPIRED: ofApplications(
    'The offer expired without an answer; the sender has the money back',
    `To both applications. ${TRANSACTION}`,
  ),
};

/** The headers of every event; each is described in the guide to webhooks. */
const eventHeaders = z.object({
  'R-Signature': z.string().meta({
    description: 'HMAC-SHA512 of the raw body in lower-case hex, keyed with your client id',
    pattern: '^[0-9a-f]{128}$',
  }),
  'webhook-id': z.uuid().meta({ description: 'The event’s id: the same in every attempt and resend' }),
  'webhook-timestamp': z.string().meta({ description: 'When this attempt was signed, in seconds since 1970' }),
  'webhook-signature': z.string().meta({
    description:
      'Standard Webhooks: `v1,` and base64, keyed with your webhook secret; two while a rotated secret still signs',
  }),
  'webhook-sequence': z
    .string()
    .optional()
    .meta({ description: 'Of wallet events: the position in the wallet’s history, to sort by' }),
  traceparent: z.string().meta({
    description:
      'A W3C trace context: of the request in which it happened, where the server traces that; otherwise its trace id is the event’s id',
  }),
  'user-agent': z.literal('PayTag-Webhooks/1'),
});

/** `walletCredited` of `wallet.credited`, `consentRequested` of `CONSENT_REQUESTED`. */
const operationIdOf = (event: EventName): string =>
  event.toLowerCase().replaceAll(/[._](\w)/g, (_match, first: string) => first.toUpperCase());

/** What a surface sends: for `x-webhooks` of its OpenAPI document. */
export const webhooksOf = (surface: EventWords['surface']) =>
  eventNames
    .filter((event) => eventWords[event].surface === surface)
    .map((event) => ({
      operationId: operationIdOf(event),
      summary: eventWords[event].summary,
      description: eventWords[event].description,
      headers: eventHeaders,
      body: eventBodies[event].meta({ example: eventExamples[event] }),
    }));
