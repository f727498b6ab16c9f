import { asMinor, type Minor, negated } from '#lib/minor-units.ts';
import {
  type BankFile,
  type BankLine,
  daysOf,
  doesNotTie,
  LINES_MAX,
  oneLine,
  pause,
  shown,
  unreadable,
} from './bank-file.ts';
import { readAmount } from './exact-amount.ts';
import { dayReader } from './written-day.ts';

/** Where a bank's CSV says what: columns by their name in the header, or by their number, from 1, where there is none. */
export interface CsvMapping {
  date: string;
  /** As `DD/MM/YYYY`. */
  dateFormat: string;
  /** One column with a sign, or one for each direction. */
  amount?: string | undefined;
  debit?: string | undefined;
  credit?: string | undefined;
  /** Whether `amount` is above zero for what left the account. */
  isInverted: boolean;
  reference?: string | undefined;
  narration?: string | undefined;
  /** What was on the account after the line. */
  balance?: string | undefined;
  delimiter: string;
  decimalMark: '.' | ',';
  /** Lines before the header. */
  skipLines: number;
  hasHeader: boolean;
}

const AT_ONCE = 500;
/** A longer one is no field, but a quotation mark that is never closed. */
const RECORD_MAX = 64 * 1024;

interface Row {
  number: number;
  fields: readonly string[];
}

/** @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE */
export async function readCsv(text: string, mapping: CsvMapping): Promise<BankFile> {
  const rows = await rowsOf(text, mapping);
  const header = mapping.hasHeader ? rows.shift() : undefined;
  if (mapping.hasHeader && header === undefined) throw unreadable('line 1', 'there is no header');
  const column = columnsIn(header);
  const read = lineReader(mapping, column);
  const balanceAt = column(mapping.balance, 'balance');
  const lines: BankLine[] = [];
  const balances: (Minor | undefined)[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % AT_ONCE === 0) await pause();
    if (row.fields.every((field) => field.trim() === '')) continue;
    const line = read(row);
    if (line === undefined) continue;
    lines.push(line);
    if (lines.length > LINES_MAX) throw unreadable(`line ${row.number}`, `a file has ${LINES_MAX} lines at most`);
    if (balanceAt !== undefined) balances.push(amountIn(row, balanceAt, 'balance', mapping));
  }
  if (lines.length === 0) throw unreadable('line 1', 'there is no line of an account in it');
  return { account: undefined, ...tied(lines, balances), ...daysOf(lines), lines };
}

async function rowsOf(text: string, { delimiter, skipLines }: CsvMapping): Promise<Row[]> {
  const { CsvError, parse } = await import('csv-parse');
  const rows: Row[] = [];
  const parser = parse({
    delimiter,
    from_line: skipLines + 1,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_MAX,
  });
  try {
    const lines: AsyncIterable<{ record: string[]; info: { lines: number } }> = parser;
    parser.end(text);
    for await (const { record, info } of lines) rows.push({ number: info.lines, fields: record });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(`line ${Number(error['lines'] ?? 1)}`, `not CSV: ${error.code}`);
  }
  return rows;
}

type Column = number | undefined;

/** Finds columns, by their names in a header or by their numbers. */
function columnsIn(header: Row | undefined) {
  const names = header?.fields.map((name) => name.trim().toLowerCase());
  return (named: string | undefined, member: string): Column => {
    if (named === undefined) return undefined;
    const at = names === undefined ? Number(named) - 1 : names.indexOf(named.trim().toLowerCase());
    if (Number.isInteger(at) && at >= 0 && (names === undefined || names.lastIndexOf(names[at] ?? '') === at))
      return at;
    const where = header === undefined ? `mapping.${member}` : `line ${header.number}`;
    throw unreadable(
      where,
      names === undefined ? 'must be the number of a column' : `no one column is called ${named}`,
    );
  };
}

/** Reads a line of the account; undefined: it moved nothing. */
function lineReader(mapping: CsvMapping, column: ReturnType<typeof columnsIn>) {
  const at = {
    date: column(mapping.date, 'date'),
    amount: column(mapping.amount, 'amount'),
    debit: column(mapping.debit, 'debit'),
    credit: column(mapping.credit, 'credit'),
    reference: column(mapping.reference, 'reference'),
    narration: column(mapping.narration, 'narration'),
  };
  const readDay = dayReader(mapping.dateFormat);
  const textAt = ({ fields }: Row, where: Column): string => (where === undefined ? '' : oneLine(fields[where] ?? ''));
  return (row: Row): BankLine | undefined => {
    const day = readDay(textAt(row, at.date));
    if (day === undefined) throw unreadable(`line ${row.number}, date`, `not a day written as ${mapping.dateFormat}`);
    const amount = at.amount === undefined ? twoSided(row, at, mapping) : oneSided(row, at.amount, mapping);
    if (amount === 0n) return undefined;
    const [reference, narration] = [textAt(row, at.reference), textAt(row, at.narration)];
    return { number: row.number, day, amount, reference, bankReference: '', narration };
  };
}

function amountIn(row: Row, at: number, field: string, { decimalMark }: CsvMapping): Minor {
  const amount = readAmount(row.fields[at] ?? '', decimalMark);
  if (amount !== undefined) return amount;
  throw unreadable(`line ${row.number}, ${field}`, 'not an amount of at most two decimals');
}

function oneSided(row: Row, at: number, mapping: CsvMapping): Minor {
  const amount = amountIn(row, at, 'amount', mapping);
  return mapping.isInverted ? negated(amount) : amount;
}

/** Banks write a debit with its sign or without it. */
function twoSided(row: Row, at: { debit: Column; credit: Column }, mapping: CsvMapping): Minor {
  const side = (where: Column, field: string): bigint => {
    if (where === undefined || /^[-–]?$/.test(row.fields[where]?.trim() ?? '')) return 0n;
    const amount = amountIn(row, where, field, mapping);
    return amount < 0n ? negated(amount) : amount;
  };
  const [debit, credit] = [side(at.debit, 'debit'), side(at.credit, 'credit')];
  if (debit > 0n && credit > 0n) throw unreadable(`line ${row.number}, debit`, 'the line is both debit and credit');
  return asMinor(credit - debit);
}

/** What was on the account before and after, where each line says it. The newest line may stand first. */
function tied(lines: BankLine[], balances: readonly (Minor | undefined)[]): Pick<BankFile, 'opening' | 'closing'> {
  if (balances.length === 0) return { opening: undefined, closing: undefined };
  const chain = lines.map(({ amount, number }, at) => ({ amount, number, balance: balances[at] ?? 0n }));
  const broken = firstBreak(chain);
  if (broken !== undefined) {
    const backwards = chain.toReversed();
    if (firstBreak(backwards) !== undefined) {
      const [before, { amount, balance, number }] = broken;
      throw doesNotTie(
        `line ${number}, balance`,
        `${shown(before)} and ${shown(amount)} come to ${shown(before + amount)}, not ${shown(balance)}`,
      );
    }
    chain.reverse();
  }
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) return { opening: undefined, closing: undefined };
  return { opening: asMinor(first.balance - first.amount), closing: asMinor(last.balance) };
}

interface Balanced {
  amount: bigint;
  number: number;
  balance: bigint;
}

/** The first line whose balance is not that before it and its amount. */
function firstBreak(chain: readonly Balanced[]): [bigint, Balanced] | undefined {
  let before: bigint | undefined;
  for (const line of chain) {
    if (before !== undefined && before + line.amount !== line.balance) return [before, line];
    before = line.balance;
  }
  return undefined;
}
