import type { z } from 'zod';
import type { eventBodies } from './events.ts';

type Bodies = typeof eventBodies;

/** The data of every event, by its name. */
type Examples = { readonly [Name in keyof Bodies]: z.input<Bodies[Name]> };

const at = '2026-01-31T08:00:00.000Z';

const later = '2026-01-31T09:15:00.000Z';

/** Ada of Acme and Bola of Market, in all examples. */
const acme = { id: '01983f5e-2b44-7d19-8a63-0f9e7c5d1b28', name: 'Acme' };

const market = { id: '01983f5e-9c07-7f02-b1d4-3e6a8f2c5d90', name: 'Market' };

const walletReference = 'PW-480dacb6c5e9ad58ff330bc387910b97';

const claim = {
  id: '01983f60-4f2e-7a61-9d0c-5b7e1a3c8f42',
  tagId: '01983f5f-1d3a-7c48-a2e5-9f6b0d4c7e11',
  tagString: 'ada',
  subjectId: '01983f5f-8b60-7e95-b3f7-2c1d9a5e6f03',
  subjectExternalId: 'customer-7',
  requestedByAppId: market.id,
  requestedByAppName: market.name,
  requestedAt: at,
  consentToken: '',
  approvalUrl: '',
  tokenExpiresAt: '2026-02-01T08:00:00.000Z',
};

const token = 'q3Zt8VnYx0cJm5Kd1RfW7uLbS2eHgPa9oNiTkQvXy4A';

const pending = {
  ...claim,
  state: 'PENDING' as const,
  consentToken: token,
  approvalUrl: `https://pay.example/api/v1/consent/${token}`,
};

const link = {
  linkId: '01983f61-6c92-7b34-8e1f-7a5d3c9b2e60',
  primaryTag: 'ada',
  secondaryTag: 'bola',
  verificationMethod: 'OTP' as const,
};

const tagTransaction = {
  id: '01983f62-7a10-7c3e-9f5b-6d1c2e8a4b07',
  reference: 'order-7',
  senderTag: 'ada',
  senderAppName: acme.name,
  senderAppId: acme.id,
  receiverTag: 'bola',
  receiverAppName: market.name,
  receiverAppId: market.id,
  amount: 1500.5,
  currency: 'NGN' as const,
  narration: 'Two baskets',
  expiresAt: '2026-02-03T08:00:00.000Z',
  rejectionReason: '',
  createdAt: at,
  updatedAt: later,
  fee: 0,
  webhooks: [],
};

/** The endpoint of Acme's bookkeeping, and a time in which it does not take its deliveries. */
const endpoint = { EndpointId: '01983f60-9d13-7b58-8e2a-1c7f5a0d6e34', Host: 'books.example' };

const episode = '01983f63-8c4d-7f19-9a60-2e5b7d1f4c83';

/** Two movements of one wallet, the second of which undoes the first. */
const credit: z.input<Bodies['wallet.credited']>['data'] = {
  Amount: 1500.5,
  Operation: 'Credit',
  Transaction: {
    Amount: 1500.5,
    Fee: 0,
    Status: 'Successful',
    Reference: 'salary-8',
    ExternalReference: '',
    Comment: 'January',
  },
  OpeningBalance: 25_000,
  ClosingBalance: 26_500.5,
  CreatedAt: at,
};

type PayoutEvent = Extract<keyof Bodies, `payout.${string}`>;

const payoutTransaction = {
  Amount: 1500.5,
  Fee: 25,
  Reference: 'payout-17',
  ExternalReference: '',
  Comment: 'Invoice 17',
};

const payout = {
  Wallet: 'PW-480dacb6c5e9ad58ff330bc387910b97',
  FailureReason: '',
  BankName: 'GTBank',
  CreatedAt: '2026-01-31T08:00:00.000Z',
  SentAt: '2026-01-31T08:00:01.000Z',
};

const EndedAt = '2026-01-31T08:00:04.000Z';

const reference = payoutTransaction.Reference;

/** A body of every event of a payout, as it is sent. */
const payoutExamples: { readonly [Name in PayoutEvent]: z.input<Bodies[Name]> } = {
  'payout.sent': {
    event: 'payout.sent',
    reference,
    data: { ...payout, Transaction: { ...payoutTransaction, Status: 'Pending' } },
  },
  'payout.successful': {
    event: 'payout.successful',
    reference,
    data: { ...payout, Transaction: { ...payoutTransaction, Status: 'Successful' }, EndedAt },
  },
  'payout.failed': {
    event: 'payout.failed',
    reference,
    data: {
      ...payout,
      FailureReason: 'PAYOUT_REFUSED',
      Transaction: { ...payoutTransaction, Status: 'Failed' },
      EndedAt,
    },
  },
  'payout.reversed': {
    event: 'payout.reversed',
    reference,
    data: {
      ...payout,
      Transaction: { ...payoutTransaction, Status: 'Reversed' },
      EndedAt,
      ReversedAt: '2026-02-01T09:30:00.000Z',
    },
  },
};

type DisputeEvent = Extract<keyof Bodies, `dispute.${string}`>;

const dispute = {
  ID: '01983f65-3b1e-7c02-8d47-5a9e2f6c0b18',
  TransactionReference: 'salary-8',
  Wallet: 'PW-480dacb6c5e9ad58ff330bc387910b97',
  Amount: 1500.5,
  Currency: 'NGN' as const,
  RespondBy: '2026-01-31T09:15:00.000Z',
  Refunded: 0,
  RefundReference: '',
  CreatedAt: '2026-01-31T08:00:00.000Z',
};

/** A body of every event of a dispute, as it is sent. */
const disputeExamples: { readonly [Name in DisputeEvent]: z.input<Bodies[Name]> } = {
  'dispute.opened': { event: 'dispute.opened', reference: dispute.ID, data: { ...dispute, State: 'OPEN' } },
  'dispute.expired': {
    event: 'dispute.expired',
    reference: dispute.ID,
    data: { ...dispute, State: 'EXPIRED', ExpiredAt: dispute.RespondBy },
  },
  'dispute.decided': {
    event: 'dispute.decided',
    reference: dispute.ID,
    data: {
      ...dispute,
      State: 'LOST',
      Refunded: 1500.5,
      RefundReference: `DSP-${dispute.ID}`,
      ExpiredAt: dispute.RespondBy,
      DecidedAt: '2026-02-02T10:00:00.000Z',
    },
  },
};

/** A body of every event, as it is sent. */
export const eventExamples: Examples = {
  'wallet.credited': { event: 'wallet.credited', reference: walletReference, data: credit },
  'wallet.debited': {
    event: 'wallet.debited',
    reference: walletReference,
    data: {
      ...credit,
      Amount: -100,
      Operation: 'Debit',
      Transaction: {
        ...credit.Transaction,
        Amount: 100,
        Reference: 'salary-8-back',
        ExternalReference: 'salary-8',
        Comment: '',
      },
      OpeningBalance: 26_500.5,
      ClosingBalance: 26_400.5,
      CreatedAt: later,
    },
  },
  'transaction.status': {
    event: 'transaction.status',
    reference: 'card-1',
    data: {
      Amount: 1000,
      Fee: 0,
      Commission: 0,
      Net: 1000,
      Reference: 'card-1',
      Sender: 'Chidi Okafor',
      SenderDetails: { Name: 'Chidi Okafor', Paytag: '', Type: 'CARD', Currency: 'NGN', Amount: 1000, Fee: 0 },
      Recipient: 'Demo Stores',
      Status: 'Successful',
      Comment: '',
      Date: at,
      CompletedAt: at,
      Metadata: {},
      Terminal: {
        SerialNumber: 'SN-1',
        TerminalID: '2044AB12',
        Merchant: 'Demo Stores',
        Email: '',
        PhoneNumber: '',
        Status: 'Active',
        PayTag: 'ada',
        Qr: 'https://pay.example/p/ada',
        CreatedAt: '2026-01-15T09:30:00.000Z',
        Metadata: {},
        Balance: 106_000,
      },
    },
  },
  'webhook.test': {
    event: 'webhook.test',
    reference: 'test-a96e365c1ab42effc94a13d9a92c853e',
    data: { Test: true, Message: 'A test event: no money has moved.', CreatedAt: at },
  },
  'endpoint.paused': {
    event: 'endpoint.paused',
    reference: episode,
    data: {
      ...endpoint,
      PausedBy: 'SYSTEM',
      Reason: 'no delivery has succeeded since 2026-01-28T08:00:00.000Z',
      PausedAt: at,
      CreatedAt: at,
    },
  },
  'endpoint.recovered': {
    event: 'endpoint.recovered',
    reference: episode,
    data: { ...endpoint, After: 'endpoint.paused', Since: at, RecoveredAt: later, CreatedAt: later },
  },
  'delivery.failed': {
    event: 'delivery.failed',
    reference: '01983f64-5e7a-7d21-b6c0-4f8a1d9e3b75',
    data: {
      ...endpoint,
      DeliveryId: '01983f63-2f81-7c46-a9d5-8b3e6f0c1a92',
      Event: 'wallet.credited',
      Reference: walletReference,
      LastError: 'status 503',
      Failed: 1,
      Since: at,
      CreatedAt: at,
    },
  },
  ...disputeExamples,
  ...payoutExamples,
  CONSENT_REQUESTED: { event: 'CONSENT_REQUESTED', reference: claim.id, data: pending },
  CONSENT_CONFIRMED: { event: 'CONSENT_CONFIRMED', reference: claim.id, data: pending },
  CONSENT_APPROVED: {
    event: 'CONSENT_APPROVED',
    reference: claim.id,
    data: { ...claim, state: 'APPROVED', approvedAt: later },
  },
  CONSENT_REJECTED: { event: 'CONSENT_REJECTED', reference: claim.id, data: { ...claim, state: 'REJECTED' } },
  CONSENT_CANCELLED: { event: 'CONSENT_CANCELLED', reference: claim.id, data: { ...claim, state: 'CANCELLED' } },
  CONSENT_EXPIRED: { event: 'CONSENT_EXPIRED', reference: claim.id, data: { ...claim, state: 'EXPIRED' } },
  CONSENT_REVOKED: {
    event: 'CONSENT_REVOKED',
    reference: claim.id,
    data: { ...claim, state: 'REVOKED', approvedAt: later, revokedAt: '2026-03-02T10:00:00.000Z' },
  },
  FEDERATION_CHALLENGE: {
    event: 'FEDERATION_CHALLENGE',
    reference: link.linkId,
    data: { ...link, token: '123456', expiresAt: '2026-01-31T08:10:00.000Z' },
  },
  FEDERATION_VERIFIED: {
    event: 'FEDERATION_VERIFIED',
    reference: link.linkId,
    data: { ...link, status: 'VERIFIED', verifiedBy: 'acme' },
  },
  FEDERATION_REJECTED: {
    event: 'FEDERATION_REJECTED',
    reference: link.linkId,
    data: { ...link, status: 'REJECTED', verifiedBy: '' },
  },
  FEDERATION_FAILED: {
    event: 'FEDERATION_FAILED',
    reference: link.linkId,
    data: { ...link, status: 'FAILED', verifiedBy: '' },
  },
  FEDERATION_EXPIRED: {
    event: 'FEDERATION_EXPIRED',
    reference: link.linkId,
    data: { ...link, status: 'EXPIRED', verifiedBy: '' },
  },
  FEDERATION_REVOKED: {
    event: 'FEDERATION_REVOKED',
    reference: link.linkId,
    data: { ...link, status: 'REVOKED', verifiedBy: 'acme' },
  },
  TRANSACTION_INITIATED: {
    event: 'TRANSACTION_INITIATED',
    reference: tagTransaction.reference,
    data: { ...tagTransaction, status: 'AWAITING_ACCEPTANCE', updatedAt: at },
  },
  TRANSACTION_ACCEPTED: {
    event: 'TRANSACTION_ACCEPTED',
    reference: tagTransaction.reference,
    data: { ...tagTransaction, status: 'ACCEPTED', acceptedAt: later },
  },
  TRANSACTION_REJECTED: {
    event: 'TRANSACTION_REJECTED',
    reference: tagTransaction.reference,
    data: { ...tagTransaction, status: 'REJECTED', rejectedAt: later, rejectionReason: 'out of stock' },
  },
  TRANSACTION_CANCELLED: {
    event: 'TRANSACTION_CANCELLED',
    reference: tagTransaction.reference,
    data: { ...tagTransaction, status: 'CANCELLED' },
  },
  TRANSACTION_EXPIRED: {
    event: 'TRANSACTION_EXPIRED',
    reference: tagTransaction.reference,
    data: { ...tagTransaction, status: 'EXPIRED', updatedAt: tagTransaction.expiresAt },
  },
};
