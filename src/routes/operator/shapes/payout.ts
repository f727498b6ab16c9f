import { z } from 'zod';
import { type PayoutView, payoutStates } from '#modules/payouts';
import { momentOut } from '#wire/moment.ts';
import { amountOut, toMajor } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';

export const payoutState = z.enum(payoutStates);

/** A payout as the operator sees it. */
export const payoutShape = z.object({
  id: z.uuid(),
  reference: z.string().meta({ description: 'The transaction’s' }),
  externalReference: z.string().optional(),
  partnerId: z.uuid(),
  wallet: z.string().meta({ description: 'Reference of the wallet that pays' }),
  amount: amountOut,
  charges: amountOut.meta({ description: 'Fee and stamp duty, which the wallet pays on top' }),
  state: payoutState.meta({
    description: 'UNKNOWN: the provider may have paid, and is asked what became of it, never to pay again',
  }),
  accountNumber: personal(z.string(), 'number')
    .optional()
    .meta({ description: 'Left out, as is its name, where what is stored is not what was ordered' }),
  bankCode: z.string(),
  bankName: z.string(),
  accountName: personal(z.string(), 'name').optional(),
  provider: z.string(),
  providerReference: z.string().meta({ description: 'Ours at the provider' }),
  providerId: z.string().optional(),
  attempts: z.int().meta({ description: 'How often the provider was asked since its state changed' }),
  nextAskAt: momentOut.optional(),
  failureReason: z.string().optional(),
  failureDetail: z.string().optional().meta({ description: 'In the provider’s words' }),
  contradiction: z
    .enum(['NOT_FOUND', 'SUCCESSFUL', 'FAILED', 'REVERSED'])
    .optional()
    .meta({ description: 'What the provider said that cannot be true beside what it said before' }),
  correctionId: z.int().optional().meta({
    description: 'Of one that has failed and was paid all the same: the transaction that took its money after all',
  }),
  createdAt: momentOut,
  sentAt: momentOut.optional(),
  endedAt: momentOut.optional(),
  reversedAt: momentOut.optional(),
});

export const toPayout = ({ dueAt, ...payout }: PayoutView): z.input<typeof payoutShape> => ({
  ...payout,
  amount: toMajor(payout.amount),
  charges: toMajor(payout.charges),
  nextAskAt: dueAt?.toISOString(),
  createdAt: payout.createdAt.toISOString(),
  sentAt: payout.sentAt?.toISOString(),
  endedAt: payout.endedAt?.toISOString(),
  reversedAt: payout.reversedAt?.toISOString(),
});
