import type { z } from 'zod';
import type { eventBodies } from './events.ts';

type Bodies = typeof eventBodies;
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
export const disputeExamples: { readonly [Name in DisputeEvent]: z.input<Bodies[Name]> } = {
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
