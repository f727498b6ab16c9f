import { lazyPackage } from '#lib/lazy.ts';
import { factsOf } from './facts.ts';
import { decimal, isoMoment } from './format.ts';
import type { Line, Statement } from './statement.ts';

const csv = lazyPackage<typeof import('csv-stringify/sync')>('csv-stringify/sync');

const columns = [
  'Date',
  'Description',
  'Comment',
  'Reference',
  'External reference',
  'Currency',
  'Debit',
  'Credit',
  'Fee included',
  'Balance',
] as const;
type Row = Partial<Record<(typeof columns)[number], string>>;

/**
 * RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front, and one with a character that
 * LibreOffice takes for the end of a cell is quoted.
 */
const toCsv = (rows: readonly Row[], first = false): string =>
  csv().stringify([...rows], {
    columns: [...columns],
    header: first,
    bom: first,
    record_delimiter: 'windows',
    quoted_match: /[\r\n;\t]/,
    escape_formulas: true,
  });

/**
 * A statement as CSV: UTF-8 with a byte order mark; whose it is, a fact in a row, with its name as Description and its value as Comment; the
 * opening balance, the lines in order, and the closing balance. Every row has the same columns, so that programs read it as one table.
 */
export async function* writeCsv(statement: Statement): AsyncGenerator<string> {
  const { currency, from, to, opening, closing } = statement;
  const toRow = ({ at, debit, credit, fee, ...line }: Line): Row => ({
    Date: isoMoment(at),
    Description: line.description,
    Comment: line.comment ?? '',
    Reference: line.reference,
    'External reference': line.externalReference ?? '',
    Currency: currency,
    Debit: debit === undefined ? '' : decimal(debit),
    Credit: credit === undefined ? '' : decimal(credit),
    'Fee included': decimal(fee),
    Balance: decimal(line.balance),
  });
  const balanceRow = (at: Date, Description: string, balance: bigint): Row => ({
    Date: isoMoment(at),
    Description,
    Currency: currency,
    Balance: decimal(balance),
  });
  const facts = factsOf(statement).map(([Description, Comment]): Row => ({ Description, Comment }));
  yield toCsv([...facts, balanceRow(from, 'Opening balance', opening)], true);
  for await (const lines of statement.pages) yield toCsv(lines.map(toRow));
  yield toCsv([balanceRow(to, 'Closing balance', closing)]);
}
