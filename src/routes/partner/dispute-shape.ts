import { z } from 'zod';
import { type DisputeView, disputeStates } from '#modules/disputes';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';

export const disputeState = z.enum(disputeStates);

/** A dispute about a wallet of the partner that reads it. */
export const disputeShape = z
  .object({
    ID: z.uuid(),
    TransactionReference: z.string(),
    Wallet: z.string().meta({ description: 'Reference of the wallet that received the money' }),
    Amount: amountOut.meta({ description: 'What is disputed, and kept in the wallet until it is decided' }),
    Currency: currencyCode,
    State: disputeState.meta({
      description:
        'EXPIRED: the time to answer is over, and the amount is kept until it is decided. WON: the wallet keeps the money. LOST: it went back',
    }),
    Reason: z.string(),
    RespondBy: momentOut.meta({ description: 'Until then evidence can be added' }),
    Evidence: z.array(
      z.object({
        By: z.enum(['OPERATOR', 'PARTNER']),
        Text: z.string(),
        Link: z.string().optional(),
        CreatedAt: momentOut,
      }),
    ),
    Refunded: amountOut.meta({ description: 'What went back because the dispute was lost' }),
    RefundReference: z.string().optional().meta({ description: 'Of what gave it back: a transaction of the wallet' }),
    CreatedAt: momentOut,
    ExpiredAt: momentOut.optional(),
    DecidedAt: momentOut.optional(),
  })
  .meta({ id: 'Dispute' });

export const toDispute = (view: DisputeView): z.input<typeof disputeShape> => ({
  ID: view.id,
  TransactionReference: view.transaction.reference,
  Wallet: view.wallet,
  Amount: toMajor(view.amount),
  Currency: view.currency,
  State: view.state,
  Reason: view.reason,
  RespondBy: view.respondBy.toISOString(),
  Evidence: view.evidence.map(({ by, text, link, createdAt }) => ({
    By: by,
    Text: text,
    Link: link,
    CreatedAt: createdAt.toISOString(),
  })),
  Refunded: toMajor(view.refund?.amount ?? 0n),
  RefundReference: view.refund?.reference,
  CreatedAt: view.createdAt.toISOString(),
  ExpiredAt: view.expiredAt?.toISOString(),
  DecidedAt: view.decidedAt?.toISOString(),
});
