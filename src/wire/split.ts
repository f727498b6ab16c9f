import { z } from 'zod';
import type { Split } from '#modules/terminals';
import { deadlineIn } from './moment.ts';
import { amountIn, amountOut, toMajor } from './money.ts';
import { optional, reference, text } from './text.ts';

export const splitShape = z
  .object({
    Amount: amountOut,
    Reference: z.string(),
    TotalPaid: amountOut,
    Remaining: amountOut,
    Status: z.enum(['Pending', 'Paid', 'Cancelled', 'Expired']),
    Title: z.string(),
    Description: z.string().optional(),
  })
  .meta({
    id: 'Split',
    example: {
      Amount: 90_000,
      Reference: 'fridge-1',
      TotalPaid: 30_000,
      Remaining: 60_000,
      Status: 'Pending',
      Title: 'Fridge',
      Description: 'In three instalments',
    },
  });

/** A split, as its partner and the operator see it. */
export const toSplit = (split: Split): z.input<typeof splitShape> => ({
  Amount: toMajor(split.amount),
  Reference: split.reference,
  TotalPaid: toMajor(split.totalPaid),
  Remaining: toMajor(split.remaining),
  Status: split.status,
  Title: split.title,
  Description: split.description,
});

/** What a date may be and still be one in our database. */
const EARLIEST_EXPIRY = new Date('2000-01-01T00:00:00Z');
const LATEST_EXPIRY = new Date('2200-01-01T00:00:00Z');

/** The body of a new split. */
export const splitBody = z.object({
  amount: amountIn,
  title: text(200),
  description: optional(text(1000)),
  reference: optional(reference),
  expiresAt: optional(
    deadlineIn.refine(
      (moment) => LATEST_EXPIRY > moment && moment > EARLIEST_EXPIRY,
      'must lie between the years 2000 and 2200',
    ),
  ).meta({ example: '2099-12-31T23:00:00.000Z' }),
});
