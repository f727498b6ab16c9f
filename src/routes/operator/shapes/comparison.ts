import { z } from 'zod';
import type { ComparisonRow, ComparisonView } from '#modules/reconciliation';
import { dayParam } from '#wire/day.ts';
import { momentOut } from '#wire/moment.ts';
import { amountOut, toMajor } from '#wire/money.ts';
import { text } from '#wire/text.ts';

export const providerParam = text(50).meta({
  description: 'A provider of payouts or of account numbers',
  example: 'paystack',
});
export const comparedDay = dayParam;

/** What differs of one movement. */
export const differenceShape = z.object({
  kind: z.enum(['TRANSFER', 'CHARGE']),
  reference: z.string().meta({ description: 'Of an UNREADABLE row what names it, as text; empty where nothing does' }),
  what: z.string().meta({
    description:
      'WE_LACKED: it is booked now. THEY_LACK: the provider does not know it, or has not ended what has ended here. UNREADABLE: it has a row that is not as documented. Any other: what the inbox says',
    example: 'WE_LACKED',
  }),
  ours: amountOut.optional(),
  theirs: amountOut.optional(),
  corrected: z
    .literal(true)
    .optional()
    .meta({ description: 'Operators have booked since that it was paid: nothing is open any more' }),
});

/** A comparison of a provider’s list of a day with ours. */
export const comparisonShape = z.object({
  provider: z.string(),
  date: z.string().meta({ example: '2026-01-31' }),
  theirs: z.object({ count: z.int(), amount: amountOut }),
  ours: z.object({ count: z.int(), amount: amountOut }),
  differences: z.array(differenceShape),
  comparedAt: momentOut,
});

/** A comparison in a list. */
export const listedComparisonShape = comparisonShape.omit({ differences: true }).extend({
  differences: z.int().meta({ description: 'How many: the comparison of the day names each' }),
  comparedBy: z.string().meta({ description: 'Who asked for it, or `nightly`', example: 'nightly' }),
});

const countsOf = (row: ComparisonRow) => ({
  provider: row.provider,
  date: row.day,
  theirs: { count: row.theirCount, amount: toMajor(row.theirAmount) },
  ours: { count: row.ourCount, amount: toMajor(row.ourAmount) },
  comparedAt: row.comparedAt.toISOString(),
});

export const toComparison = (row: ComparisonRow & Partial<ComparisonView>): z.input<typeof comparisonShape> => ({
  ...countsOf(row),
  differences: row.differences.map(({ ours, theirs, ...difference }) => ({
    ...difference,
    ours: ours === undefined ? undefined : toMajor(BigInt(ours)),
    theirs: theirs === undefined ? undefined : toMajor(BigInt(theirs)),
    corrected: row.corrected?.has(difference.reference) || undefined,
  })),
});

export const toListedComparison = (row: ComparisonRow): z.input<typeof listedComparisonShape> => ({
  ...countsOf(row),
  differences: row.differences.length,
  comparedBy: row.actor,
});
