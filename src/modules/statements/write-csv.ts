import { stringify } from 'csv-stringify/sync';
import { decimal, isoMoment } from './format.ts';
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

/**
 * RFC 4180. A text that a spreadsheet would run as a formula is given to it with an apostrophe before it, and one with
 * what LibreOffice takes for the end of a cell, too, in quotes.
 */
const toCsv = (rows: readonly Row[], first = false): string =>
  stringify([...rows], {
    columns: [...columns],
    header: first,
    bom: first,
    record_delimiter: 'windows',
    quoted_match: /[\r\n;\t]/,
    escape_formulas: true,
  });

/** A statement as CSV, UTF-8 with a byte order mark, in the order of the lines, with the balances at both ends. */
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
  const balance = (at: Date, Description: string, is: bigint): Row => ({
    Date: isoMoment(at),
    Description,
    Currency: currency,
    Balance: decimal(is),
  });
  yield toCsv([balance(from, 'Opening balance', opening)], true);
  for await (const lines of statement.pages) yield toCsv(lines.map(toRow));
  yield toCsv([balance(to, 'Closing balance', closing)]);
}
