import { z } from 'zod';
import { type DisputeView, disputeStates } from '#modules/disputes';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';
import { optional, text, webUrl } from '#wire/text.ts';
import { transactionType } from '#wire/transaction.ts';

export const disputeState = z.enum(disputeStates);

/** What somebody says of a dispute. */
export const saidBody = z.object({
  text: text(2000).meta({ description: 'The partner of the wallet sees it' }),
  link: optional(webUrl).meta({
    description: 'Where there is more of it',
    example: 'https://files.example/receipt-7.pdf',
  }),
});

/** A dispute as the operator sees it. */
export const disputeShape = z.object({
  id: z.uuid(),
  transactionReference: z.string(),
  transactionId: z.int(),
  type: transactionType,
  partnerId: z.uuid().meta({ description: 'Whose the wallet is that received the money' }),
  wallet: z.string().meta({ description: 'Its reference' }),
  amount: amountOut,
  currency: currencyCode,
  covered: amountOut
    .optional()
    .meta({ description: 'What of the amount is in the wallet now, while it is not decided; the rest has been spent' }),
  state: disputeState.meta({
    description:
      'EXPIRED: the partner can answer no more, and the amount is kept until it is decided. WON: the receiver keeps the money. LOST: it went back',
  }),
  reason: personal(z.string(), 'prose'),
  respondBy: momentOut,
  evidence: z.array(
    z.object({
      by: z.enum(['OPERATOR', 'PARTNER']),
      text: personal(z.string().meta({ description: 'Empty once it is forgotten, years after the decision' }), 'text'),
      link: personal(z.string(), 'text').optional(),
      at: momentOut,
    }),
  ),
  refunded: amountOut.meta({
    description:
      'What went back because it was lost: less than the amount where some of it was refunded or reversed before',
  }),
  refundReference: z.string().optional().meta({ description: 'Of what gave it back' }),
  decision: personal(z.string(), 'prose').optional().meta({ description: 'Why it was decided so' }),
  createdAt: momentOut,
  expiredAt: momentOut.optional(),
  decidedAt: momentOut.optional(),
});

export const toDispute = ({ transaction, refund, ...view }: DisputeView): z.input<typeof disputeShape> => ({
  ...view,
  transactionReference: transaction.reference,
  transactionId: transaction.id,
  type: transaction.type,
  amount: toMajor(view.amount),
  covered: view.covered === undefined ? undefined : toMajor(view.covered),
  respondBy: view.respondBy.toISOString(),
  evidence: view.evidence.map(({ by, text: said, link, createdAt }) => ({
    by,
    text: said,
    link,
    at: createdAt.toISOString(),
  })),
  refunded: toMajor(refund?.amount ?? 0n),
  refundReference: refund?.reference,
  createdAt: view.createdAt.toISOString(),
  expiredAt: view.expiredAt?.toISOString(),
  decidedAt: view.decidedAt?.toISOString(),
});
