import { z } from 'zod';
import type { Waiting } from '#modules/treasury';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';
import { pendingReason } from '#wire/transaction.ts';

/** Money that waits in suspense. */
export const waitingShape = z.object({
  id: z.int().meta({ description: 'The transaction’s' }),
  type: z.string().meta({ example: 'INBOUND' }),
  reference: z.string(),
  externalReference: z.string().optional(),
  partnerId: z.uuid().optional(),
  amount: amountOut.meta({ description: 'What waits: what was paid, less the charges' }),
  currency: currencyCode,
  reason: pendingReason,
  since: momentOut,
  walletReference: z.string().optional().meta({ description: 'The wallet that it is meant for; absent: a float' }),
  sender: z
    .object({
      name: personal(z.string(), 'name').optional(),
      paytag: z.string().optional(),
      type: z.string().optional(),
    })
    .optional(),
  terminal: z.string().optional(),
  split: z.string().optional(),
  comment: personal(z.string(), 'text').optional(),
});

/** Money that waits, with what was reported of it. */
export const toWaiting = ({
  destination,
  report,
  amount,
  since,
  ...waiting
}: Waiting): z.input<typeof waitingShape> => ({
  ...waiting,
  amount: toMajor(amount),
  since: since.toISOString(),
  walletReference: destination.kind === 'WALLET' ? destination.reference : undefined,
  sender: report?.sender,
  terminal: report?.terminal,
  split: report?.split,
});
