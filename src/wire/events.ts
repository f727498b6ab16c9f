import { z } from 'zod';
import type { EventName } from './event-names.ts';
import { momentOut } from './moment.ts';
import { amountOut, currencyCode } from './money.ts';
import { claimShape } from './tag.ts';
import { metadataOut } from './text.ts';
import { switchTransaction, webhookDeliveryShape } from './transaction.ts';

/**
 * The body of an event, as its receiver gets it. The rooms write it, and those of the wallet events the ledger's SQL
 * does: they cannot import this file, so a test holds what they write to it, member by member. All members are always there:
 * where there is no value a text is '', an object {} and a number 0; only a date without a value is left out.
 */
const bodyOf = <Name extends string, Data extends z.ZodType>(event: Name, reference: string, data: Data) =>
  z.strictObject({ event: z.literal(event), reference: z.string().meta({ description: reference }), data });

const walletEvent = <Name extends string, Operation extends 'Credit' | 'Debit'>(event: Name, operation: Operation) =>
  bodyOf(
    event,
    'The wallet’s',
    z.strictObject({
      Amount: amountOut.meta({ description: 'The effect on the wallet: Net of a credit, −(Amount + Fee) of a debit' }),
      Operation: z.literal(operation),
      Transaction: z.strictObject({
        Amount: amountOut.meta({ description: 'Not signed' }),
        Fee: amountOut.meta({ description: 'What this wallet paid' }),
        Status: z.literal('Successful'),
        Reference: z.string().meta({ description: 'For a refund, the refund’s', example: 'salary-8-back' }),
        ExternalReference: z.string().meta({
          description: 'For a refund, the original’s; of a transfer, the sender’s own, for the sender’s side alone',
        }),
        Comment: z.string(),
      }),
      OpeningBalance: amountOut,
      ClosingBalance: amountOut,
      CreatedAt: momentOut,
    }),
  );

const statusEvent = bodyOf(
  'transaction.status',
  'The payment’s',
  z.strictObject({
    Amount: amountOut,
    Fee: amountOut,
    Commission: amountOut,
    Net: amountOut.meta({ description: 'What is left of the amount for the recipient' }),
    Reference: z.string().meta({ example: 'card-1' }),
    Sender: z.string().meta({ description: 'Their name, or else their PayTag', example: 'Chidi Okafor' }),
    SenderDetails: z.strictObject({
      Name: z.string(),
      Paytag: z.string(),
      Type: z.string().meta({ example: 'CARD' }),
      Currency: currencyCode,
      Amount: amountOut,
      Fee: amountOut,
    }),
    Recipient: z.string().meta({ example: 'Demo Stores' }),
    Status: z.literal('Successful'),
    Comment: z.string(),
    Date: momentOut,
    CompletedAt: momentOut,
    Metadata: metadataOut,
    Terminal: z
      .strictObject({
        SerialNumber: z.string(),
        TerminalID: z.string(),
        Merchant: z.string(),
        Email: z.string(),
        PhoneNumber: z.string(),
        Status: z.string(),
        PayTag: z.string(),
        Qr: z.string().meta({ description: 'The public link of its PayTag' }),
        CreatedAt: momentOut.optional(),
        Metadata: metadataOut,
        Balance: amountOut.meta({ description: 'What its payments have brought in, this one included' }),
      })
      .meta({ description: 'Where it was paid, as it is after the payment; of a gateway payment, without values' }),
  }),
);

const consentEvent = <Name extends string, State extends z.infer<typeof claimShape>['state']>(
  event: Name,
  state: State,
) =>
  bodyOf(
    event,
    'The claim’s id',
    claimShape
      .extend({
        state: z.literal(state),
        subjectExternalId: z.string(),
        consentToken: z.string().meta({ description: 'While PENDING' }),
        approvalUrl: z.string().meta({ description: 'While PENDING: where the tag’s owner consents in person' }),
        tokenExpiresAt: momentOut,
      })
      .strict(),
  );

const link = {
  linkId: z.uuid(),
  primaryTag: z.string().meta({ example: 'ada' }),
  secondaryTag: z.string().meta({ example: 'bola' }),
  verificationMethod: z.enum(['OTP', 'CONSENT', 'ATTESTATION']),
};

const federationEvent = <Name extends string, Status extends string>(event: Name, status: Status) =>
  bodyOf(
    event,
    'The link’s id',
    z.strictObject({
      ...link,
      status: z.literal(status),
      verifiedBy: z.string().meta({ description: 'By whom, where it was verified', example: 'acme' }),
    }),
  );

const transactionEvent = <Name extends string, Status extends z.infer<typeof switchTransaction>['status']>(
  event: Name,
  status: Status,
) =>
  bodyOf(
    event,
    'The transaction’s',
    switchTransaction
      .extend({
        status: z.literal(status),
        narration: z.string(),
        rejectionReason: z.string(),
        webhooks: z.array(webhookDeliveryShape).meta({ description: 'None yet: this very event will be the next' }),
      })
      .strict(),
  );

/** An event about one endpoint, sent to another endpoint of its owner. */
const endpointEvent = <Name extends string, Members extends z.ZodRawShape>(event: Name, members: Members) =>
  bodyOf(
    event,
    'Of the incident: the event that ends it has the same one',
    z.strictObject({
      EndpointId: z.uuid().meta({ description: 'The endpoint that it is about' }),
      Host: z.string().meta({ description: 'Of its URL', example: 'books.example' }),
      ...members,
      CreatedAt: momentOut,
    }),
  );

/** An event about a dispute of the partner. */
const disputeEvent = <Name extends string, State extends string, Members extends z.ZodRawShape>(
  event: Name,
  states: readonly [State, ...State[]],
  members: Members,
) =>
  bodyOf(
    event,
    'The dispute’s id',
    z.strictObject({
      ID: z.uuid(),
      TransactionReference: z.string().meta({ description: 'Of what is disputed' }),
      Wallet: z.string().meta({ description: 'Reference of the wallet that received the money' }),
      Amount: amountOut.meta({ description: 'What is disputed' }),
      Currency: currencyCode,
      State: z.enum(states),
      RespondBy: momentOut.meta({ description: 'Until then evidence can be added' }),
      Refunded: amountOut.meta({ description: 'What went back because the dispute was lost' }),
      RefundReference: z.string(),
      CreatedAt: momentOut,
      ...members,
    }),
  );

/** An event about a payout of one of the partner's wallets. */
const payoutEvent = <Name extends string, Status extends string, Members extends z.ZodRawShape>(
  event: Name,
  status: Status,
  members: Members,
) =>
  bodyOf(
    event,
    'The reference of the payout’s transaction',
    z.strictObject({
      Wallet: z.string().meta({ description: 'Reference of the wallet that pays' }),
      FailureReason: z.string().meta({ description: 'Why it failed, as a code; empty where it did not' }),
      BankName: z.string(),
      Transaction: z.strictObject({
        Amount: amountOut.meta({ description: 'What arrives' }),
        Fee: amountOut.meta({ description: 'What the wallet pays on top' }),
        Status: z.literal(status),
        Reference: z.string(),
        ExternalReference: z.string().meta({ description: 'The customer’s own, of a payout that a customer ordered' }),
        Comment: z.string(),
      }),
      CreatedAt: momentOut,
      ...members,
    }),
  );
const sentAt = momentOut.optional().meta({ description: 'When its provider was asked; left out where it was not' });

/** The body of every event, by its name. */
export const eventBodies = {
  'wallet.credited': walletEvent('wallet.credited', 'Credit'),
  'wallet.debited': walletEvent('wallet.debited', 'Debit'),
  'transaction.status': statusEvent,
  'webhook.test': bodyOf(
    'webhook.test',
    'A new one each time',
    z.strictObject({ Test: z.literal(true), Message: z.string(), CreatedAt: momentOut }),
  ),
  'endpoint.paused': endpointEvent('endpoint.paused', {
    PausedBy: z.enum(['OPERATOR', 'SYSTEM']),
    Reason: z.string(),
    PausedAt: momentOut,
  }),
  'endpoint.recovered': endpointEvent('endpoint.recovered', {
    After: z.enum(['endpoint.paused', 'delivery.failed']).meta({ description: 'The event that reported its start' }),
    Since: momentOut.meta({ description: 'When it began' }),
    RecoveredAt: momentOut,
  }),
  'delivery.failed': endpointEvent('delivery.failed', {
    DeliveryId: z.uuid().meta({ description: 'The first that had its last attempt' }),
    Event: z.string().meta({ description: 'Of that delivery', example: 'wallet.credited' }),
    Reference: z.string().meta({ description: 'Of its event' }),
    LastError: z.string().meta({ example: 'status 503' }),
    Failed: z.int().meta({ description: 'How many have failed so far, a thousand at most' }),
    Since: momentOut,
  }),
  'dispute.opened': disputeEvent('dispute.opened', ['OPEN'], {}),
  'dispute.expired': disputeEvent('dispute.expired', ['EXPIRED'], { ExpiredAt: momentOut }),
  'dispute.decided': disputeEvent('dispute.decided', ['WON', 'LOST'], {
    ExpiredAt: momentOut.optional().meta({ description: 'Where it expired before' }),
    DecidedAt: momentOut,
  }),
  'payout.sent': payoutEvent('payout.sent', 'Pending', { SentAt: momentOut }),
  'payout.successful': payoutEvent('payout.successful', 'Successful', { SentAt: sentAt, EndedAt: momentOut }),
  'payout.failed': payoutEvent('payout.failed', 'Failed', { SentAt: sentAt, EndedAt: momentOut }),
  'payout.reversed': payoutEvent('payout.reversed', 'Reversed', {
    SentAt: sentAt,
    EndedAt: momentOut,
    ReversedAt: momentOut,
  }),
  CONSENT_REQUESTED: consentEvent('CONSENT_REQUESTED', 'PENDING'),
  CONSENT_CONFIRMED: consentEvent('CONSENT_CONFIRMED', 'PENDING'),
  CONSENT_APPROVED: consentEvent('CONSENT_APPROVED', 'APPROVED'),
  CONSENT_REJECTED: consentEvent('CONSENT_REJECTED', 'REJECTED'),
  CONSENT_CANCELLED: consentEvent('CONSENT_CANCELLED', 'CANCELLED'),
  CONSENT_EXPIRED: consentEvent('CONSENT_EXPIRED', 'EXPIRED'),
  CONSENT_REVOKED: consentEvent('CONSENT_REVOKED', 'REVOKED'),
  FEDERATION_CHALLENGE: bodyOf(
    'FEDERATION_CHALLENGE',
    'The link’s id',
    z.strictObject({
      ...link,
      token: z.string().meta({ description: 'The code, where the method is OTP' }),
      expiresAt: momentOut,
    }),
  ),
  FEDERATION_VERIFIED: federationEvent('FEDERATION_VERIFIED', 'VERIFIED'),
  FEDERATION_REJECTED: federationEvent('FEDERATION_REJECTED', 'REJECTED'),
  FEDERATION_FAILED: federationEvent('FEDERATION_FAILED', 'FAILED'),
  FEDERATION_EXPIRED: federationEvent('FEDERATION_EXPIRED', 'EXPIRED'),
  FEDERATION_REVOKED: federationEvent('FEDERATION_REVOKED', 'REVOKED'),
  TRANSACTION_INITIATED: transactionEvent('TRANSACTION_INITIATED', 'AWAITING_ACCEPTANCE'),
  TRANSACTION_ACCEPTED: transactionEvent('TRANSACTION_ACCEPTED', 'ACCEPTED'),
  TRANSACTION_REJECTED: transactionEvent('TRANSACTION_REJECTED', 'REJECTED'),
  TRANSACTION_CANCELLED: transactionEvent('TRANSACTION_CANCELLED', 'CANCELLED'),
  TRANSACTION_EXPIRED: transactionEvent('TRANSACTION_EXPIRED', 'EXPIRED'),
} as const satisfies Record<EventName, z.ZodType>;
