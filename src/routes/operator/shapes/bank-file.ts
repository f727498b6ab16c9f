import { z } from 'zod';
import { verbatim } from '#lib/text/input.ts';
import { type FileKind, isDateFormat, otherCharsets } from '#modules/reconciliation';
import { limitIn } from '#wire/money.ts';
import { optional, optionalReason, text } from '#wire/text.ts';
import { dayIn, format, rail } from './reconciliation.ts';

/** 8 MiB of a file in base64, and what stands around it. */
export const BODY_MAX = 12 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}$/;
const TOLERANCE_MAX = 10;
/** More lines are two files. */
const LINES_MAX = 50_000;
const SKIPPED_MAX = 1_000;

const CONTENT = 'Date,Amount,Reference\n20/11/2026,1500.00,NIP-1\n';

const column = text(100).meta({ description: 'Its name in the header; without a header its number, from 1' });

const mapping = z
  .object({
    date: column,
    dateFormat: text(20)
      .refine(isDateFormat, { error: 'must name year, month and day, as DD/MM/YYYY' })
      .meta({ description: 'YYYY, YY, MM, M, MMM, DD and D, and what stands between them', example: 'DD/MM/YYYY' }),
    amount: optional(column),
    debit: optional(column),
    credit: optional(column),
    sign: z
      .enum(['CREDIT_POSITIVE', 'DEBIT_POSITIVE'])
      .default('CREDIT_POSITIVE')
      .meta({ description: 'What an amount without a sign is, where there is one column for both' }),
    reference: optional(column).meta({ example: 'Reference' }),
    narration: optional(column).meta({ example: 'Narration' }),
    balance: optional(column).meta({
      description: 'What was on the account after the line, where it is said: each must tie',
    }),
    delimiter: z.enum([',', ';', '|', 'TAB']).default(','),
    decimalMark: z.enum(['.', ',']).default('.'),
    skipLines: z.int().min(0).max(SKIPPED_MAX).default(0).meta({ description: 'Lines before the header' }),
    hasHeader: z.boolean().default(true),
  })
  .refine(({ amount, debit, credit }) => (amount === undefined) !== (debit === undefined && credit === undefined), {
    path: ['amount'],
    error: 'name either the column amount, or debit and credit',
  });

/** What an operator has seen at the bank of the lines of a file. */
const confirmed = z.object({
  count: z.int().min(1).max(LINES_MAX),
  credits: limitIn.meta({ description: 'Naira that came in' }),
  debits: limitIn.meta({ description: 'Naira that left, without a sign' }),
});

/** A bank's file, and what it is to be compared with. */
export const fileBody = z
  .object({
    rail,
    format,
    content: verbatim(z.string())
      .refine((given) => given.trim() !== '', { error: 'must not be empty' })
      .meta({ description: 'The file', example: CONTENT }),
    encoding: z.enum(['text', 'base64']).default('text').meta({
      description: 'base64: the bytes of the file; UTF-8, or UTF-16 with its mark, unless a charset is named',
    }),
    charset: optional(z.enum(otherCharsets)),
    mapping: optional(mapping).meta({ description: 'Of a CSV: where it says what' }),
    toleranceDays: z
      .int()
      .min(0)
      .max(TOLERANCE_MAX)
      .default(1)
      .meta({ description: 'Banking days that a line and a posting may lie apart' }),
    from: optional(dayIn).meta({ description: 'The first day of the file, where its first line is later' }),
    to: optional(dayIn).meta({ description: 'The last day of the file, where its last line is earlier' }),
    confirm: optional(confirmed).meta({
      description: 'Of a file that nothing proves: how many lines the bank says there are, and what they come to',
    }),
    reason: optionalReason,
  })
  .refine(({ content, encoding }) => encoding === 'text' || BASE64.test(content.trimEnd()), {
    path: ['content'],
    error: 'must be base64',
  })
  .refine((body) => body.format !== 'CSV' || body.mapping !== undefined, {
    path: ['mapping'],
    error: 'must say where a CSV says what',
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['from'],
    error: 'must not be later than to',
  })
  .meta({
    example: {
      rail: 'INBOUND',
      format: 'CSV',
      content: CONTENT,
      mapping: { date: 'Date', dateFormat: 'DD/MM/YYYY', amount: 'Amount', reference: 'Reference' },
      confirm: { count: 1, credits: 1500, debits: 0 },
    },
  });

/** How a file is to be read. */
export function kindOf({ format: given, mapping: described }: z.output<typeof fileBody>): FileKind {
  if (given !== 'CSV') return { format: given };
  if (described === undefined) throw new Error('a CSV was let through without a mapping');
  const { sign, delimiter, ...columns } = described;
  return {
    format: given,
    mapping: { ...columns, isInverted: sign === 'DEBIT_POSITIVE', delimiter: delimiter === 'TAB' ? '\t' : delimiter },
  };
}
