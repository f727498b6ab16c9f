/** Every event that is sent. */
export const eventNames = [
  'wallet.credited',
  'wallet.debited',
  'transaction.status',
  'webhook.test',
  'CONSENT_REQUESTED',
  'CONSENT_CONFIRMED',
  'CONSENT_APPROVED',
  'CONSENT_REJECTED',
  'CONSENT_CANCELLED',
  'CONSENT_EXPIRED',
  'CONSENT_REVOKED',
  'FEDERATION_CHALLENGE',
  'FEDERATION_VERIFIED',
  'FEDERATION_REJECTED',
  'FEDERATION_FAILED',
  'FEDERATION_EXPIRED',
  'FEDERATION_REVOKED',
  'TRANSACTION_INITIATED',
  'TRANSACTION_ACCEPTED',
  'TRANSACTION_REJECTED',
  'TRANSACTION_CANCELLED',
  'TRANSACTION_EXPIRED',
] as const;

export type EventName = (typeof eventNames)[number];
