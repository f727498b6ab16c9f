import { BYTE_ORDER_MARK, csvLine } from '#lib/text/output.ts';
import { decimal, factsOf, isoMoment } from './display-text.ts';
import type { Line, Statement } from './statement.ts';

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

const toCsv = (rows: readonly Row[]): string =>
  rows.map((row) => csvLine(columns.map((column) => row[column]))).join('');

/**
 * A statement as CSV: UTF-8 with a byte order mark; the holder's facts, one in a row, with its name as Description and its value as Comment; the
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
  yield BYTE_ORDER_MARK + csvLine(columns) + toCsv([...facts, balanceRow(from, 'Opening balance', opening)]);
  for await (const lines of statement.pages) yield toCsv(lines.map(toRow));
  yield toCsv([balanceRow(to, 'Closing balance', closing)]);
}
