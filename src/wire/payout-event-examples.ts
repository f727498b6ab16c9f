import type { z } from 'zod';
import type { eventBodies } from './events.ts';

type Bodies = typeof eventBodies;
type PayoutEvent = Extract<keyof Bodies, `payout.${string}`>;

const transaction = {
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
const reference = transaction.Reference;

/** A body of every event of a payout, as it is sent. */
export const payoutExamples: { readonly [Name in PayoutEvent]: z.input<Bodies[Name]> } = {
  'payout.sent': {
    event: 'payout.sent',
    reference,
    data: { ...payout, Transaction: { ...transaction, Status: 'Pending' } },
  },
  'payout.successful': {
    event: 'payout.successful',
    reference,
    data: { ...payout, Transaction: { ...transaction, Status: 'Successful' }, EndedAt },
  },
  'payout.failed': {
    event: 'payout.failed',
    reference,
    data: {
      ...payout,
      FailureReason: 'PAYOUT_REFUSED',
      Transaction: { ...transaction, Status: 'Failed' },
      EndedAt,
    },
  },
  'payout.reversed': {
    event: 'payout.reversed',
    reference,
    data: {
      ...payout,
      Transaction: { ...transaction, Status: 'Reversed' },
      EndedAt,
      ReversedAt: '2026-02-01T09:30:00.000Z',
    },
  },
};
