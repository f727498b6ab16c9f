import { z } from 'zod';
import {
  DAY_MAX,
  DAY_MIN,
  fileFormats,
  type ImportView,
  type ItemView,
  itemStatuses,
  proofs,
  rails,
} from '#modules/reconciliation';
import { momentOut } from '#wire/moment.ts';
import { toMajor, toMajorIfAny } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';

export const rail = z.enum(rails).meta({ description: 'The clearing account: BANK is that of our own bank' });
export const format = z.enum(fileFormats);
export const itemStatus = z.enum(itemStatuses);

const day = z.iso.date().meta({ example: '2026-11-20' });
const signed = z.number().meta({ description: 'Naira; what left is below zero', example: -1500.5 });

/** A day in a request. */
export const dayIn = z.iso
  .date('must be a day, as 2026-11-20')
  .refine((given) => given >= DAY_MIN && given <= DAY_MAX, { error: `must be from ${DAY_MIN} to ${DAY_MAX}` })
  .meta({ example: '2026-11-20' });

/** A file that was imported. */
export const importShape = z.object({
  id: z.uuid(),
  rail,
  format,
  account: z.string().optional().meta({ description: 'The bank’s number of the account, as the file says it' }),
  from: day,
  to: day,
  opening: signed.optional(),
  credits: signed,
  debits: signed,
  closing: signed.optional(),
  lines: z.int(),
  provedBy: z.array(z.enum(proofs)).meta({ description: 'What proves that the lines are all there, and right' }),
  toleranceDays: z.int(),
  importedBy: z.string(),
  createdAt: momentOut,
});

const difference = z.enum([
  ...itemStatuses.filter((status) => status !== 'MATCHED' && status !== 'REPEATED'),
  'OTHER_DAYS',
  'NOT_COMPARED',
]);

/** The same, with how it compares with our books. */
export const comparedImportShape = importShape.extend({
  summary: z.object({
    bank: signed.meta({ description: 'What the lines come to that no earlier file has' }),
    ours: signed.meta({ description: 'What our postings of those days come to' }),
    difference: signed,
    differences: z
      .array(z.object({ of: difference, count: z.int(), amount: signed }))
      .meta({ description: 'What the difference is made of: to the kobo' }),
    matched: z.int(),
    repeated: z.int().meta({ description: 'Lines that stood in an earlier file' }),
    ties: z.boolean().meta({
      description: 'The lines are proved, and the differences come to the difference',
    }),
  }),
});

type Plain = Omit<ImportView, 'summary'>;

export const toImport = (given: Plain): z.input<typeof importShape> => ({
  id: given.id,
  rail: given.rail,
  format: given.format,
  account: given.account ?? undefined,
  from: given.fromDay,
  to: given.toDay,
  opening: toMajorIfAny(given.opening ?? undefined),
  credits: toMajor(given.credits),
  debits: toMajor(given.debits),
  closing: toMajorIfAny(given.closing ?? undefined),
  lines: given.lines,
  provedBy: given.provedBy,
  toleranceDays: given.toleranceDays,
  importedBy: given.importedBy,
  createdAt: given.createdAt.toISOString(),
});

export const toComparedImport = (given: ImportView): z.input<typeof comparedImportShape> => ({
  ...toImport(given),
  summary: {
    ...given.summary,
    bank: toMajor(given.summary.bank),
    ours: toMajor(given.summary.ours),
    difference: toMajor(given.summary.difference),
    differences: given.summary.differences.map(({ amount, ...one }) => ({ ...one, amount: toMajor(amount) })),
  },
});

/** A line of a bank, a posting of ours, or both. */
export const itemShape = z.object({
  id: z.uuid(),
  rail,
  status: itemStatus,
  importId: z.uuid().meta({ description: 'The file of the line; of a posting alone, that which lacks it' }),
  line: z.int().optional().meta({ description: 'Where it stands in the file' }),
  bankDay: day.optional(),
  bankAmount: signed.optional(),
  bankBalance: signed.optional().meta({ description: 'What was on the account after the line' }),
  statement: z.string().optional().meta({ description: 'The bank’s number of the statement that it stands in' }),
  reference: personal(z.string(), 'text').optional(),
  bankReference: personal(z.string(), 'text').optional(),
  narration: personal(z.string(), 'text').optional(),
  transactionId: z.int().optional().meta({ description: 'Our posting' }),
  ourReference: z.string().optional(),
  ourDay: day.optional(),
  ourAmount: signed.optional(),
  difference: signed.meta({ description: 'What the bank says less what we say and have posted since' }),
  adjustmentId: z.int().optional().meta({ description: 'The posting of the difference' }),
  action: z.string().optional(),
  reason: personal(z.string(), 'prose').optional(),
  resolvedBy: z.string().optional(),
  resolvedAt: momentOut.optional(),
  createdAt: momentOut,
  updatedAt: momentOut,
});

export function toItem(given: ItemView): z.input<typeof itemShape> {
  const { bankAmount, ourAmount } = given;
  const isClosed = given.status === 'RESOLVED' || given.status === 'REPEATED';
  return {
    id: given.id,
    rail: given.rail,
    status: given.status,
    importId: given.importId,
    line: given.line ?? undefined,
    bankDay: given.bankDay ?? undefined,
    bankAmount: toMajorIfAny(bankAmount ?? undefined),
    bankBalance: toMajorIfAny(given.bankBalance ?? undefined),
    statement: given.statement ?? undefined,
    reference: given.reference || undefined,
    bankReference: given.bankReference || undefined,
    narration: given.narration || undefined,
    transactionId: given.transactionId ?? undefined,
    ourReference: given.ourReference,
    ourDay: given.ourDay ?? undefined,
    ourAmount: toMajorIfAny(ourAmount ?? undefined),
    difference: isClosed ? 0 : toMajor((bankAmount ?? 0n) - (ourAmount ?? 0n)),
    adjustmentId: given.adjustmentId ?? undefined,
    action: given.action ?? undefined,
    reason: given.reason ?? undefined,
    resolvedBy: given.resolvedBy ?? undefined,
    resolvedAt: given.resolvedAt?.toISOString(),
    createdAt: given.createdAt.toISOString(),
    updatedAt: given.updatedAt.toISOString(),
  };
}
