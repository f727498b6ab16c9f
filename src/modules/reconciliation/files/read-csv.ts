import { asMinor, type Minor, negated } from '#lib/minor-units.ts';
import { withoutInvisible } from '#lib/text/input.ts';
import { dayReader } from '../days.ts';
import { type Balanced, type Chain, chainOf } from './balances.ts';
import {
  type BankFile,
  type BankLine,
  daysOf,
  isProved as isProvedWhole,
  LINES_MAX,
  oneLine,
  type Proof,
  pause,
  referenceOf,
  rowsOf,
  unreadable,
} from './bank-file.ts';
import { csvRows, currencyIn, type Row, type Sides, sidesIn } from './csv-rows.ts';
import { CsvSummary, labelOf, type SummaryColumns, type Sums } from './csv-summary.ts';
import { readAmount, readWritten, type WrittenAmount } from './exact-amount.ts';

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
/** A text alone that is shorter is what is left of a row. */
const REMARK_MIN = 12;
/** A longer text is no name of a column. */
const NAME_MAX = 200;
/** A longer text is no day, however written. */
const DAY_TEXT_MAX = 60;

/**
 * Reads a CSV. Each row is a line of the account, or says something of the file, as its totals; any other is refused.
 *
 * @throws DomainError BANK_FILE_UNREADABLE, BANK_FILE_DOES_NOT_TIE
 */
export async function readCsv(text: string, mapping: CsvMapping): Promise<BankFile> {
  const [preamble, body] = cutAt(text, mapping.skipLines);
  const { delimiter } = mapping;
  const readDay = dayReader(mapping.dateFormat);
  const rows = await csvRows(body, {
    delimiter,
    before: mapping.skipLines,
    beginsRow: (field) => readDay(field) !== undefined,
  });
  const header = mapping.hasHeader ? rows.shift() : undefined;
  if (mapping.hasHeader && header === undefined) throw unreadable('line 1', 'there is no header');
  const columns = columnsOf(mapping, columnsIn(header));
  const summary = new CsvSummary(columns, mapping);
  for (const [number, row] of rowsOf(preamble)) summary.addPreamble({ number, fields: fieldsOf(row, delimiter) });

  const width = (header ?? rows[0])?.fields.length ?? 0;
  const dated = await datedRows(rows, width, columns.date, readDay);
  const mapped = new Set(Object.values(columns));
  const sides = await sidesIn(header, mapped, dated);
  const currency = await currencyIn(header, mapped, dated);
  const isAtEnd = (row: Row): boolean => row === dated[0] || row === dated.at(-1);
  const read = lineReader(mapping, { ...columns, currency }, { readDay, sides });
  const sums: Sums = { debits: 0n, credits: 0n };
  const moved: Read[] = [];
  let count = 0;
  let remark: number | undefined;
  for (const [at, row] of rows.entries()) {
    if (at % AT_ONCE === 0) await pause();
    if (row.fields.every((field) => field.trim() === '') || isSameRow(row, header)) continue;
    const place = { width, after: moved.length, sumsSoFar: { ...sums } };
    const found = read(row, width, (isDated) => summary.add(row, { ...place, isDated, isAtEnd: isAtEnd(row) }));
    if (found === undefined) continue;
    if (found === 'REMARK') {
      remark ??= row.number;
      continue;
    }
    if (remark !== undefined) throw unreadable(`line ${remark}`, 'a text stands among the lines of the account');
    if (found.line !== undefined) count += 1;
    if (count > LINES_MAX) throw unreadable(`line ${row.number}`, `a file has ${LINES_MAX} lines at most`);
    sums[found.amount < 0n ? 'debits' : 'credits'] += found.amount < 0n ? -found.amount : found.amount;
    moved.push(found);
  }
  if (count === 0) throw unreadable('line 1', 'there is no line of an account in it');
  const { opening, closing, isTotalled } = summary.judge(moved.length, sums);
  await pause();
  const chain = await chainOf(moved, { opening, closing });
  const provedBy: Proof[] = [];
  if (opening !== undefined && closing !== undefined) provedBy.push('OPENING_AND_CLOSING');
  if (isTotalled) provedBy.push('TOTALS');
  if (chain.isProved) provedBy.push('BALANCES');
  refuseUnsure(moved, chain, provedBy);
  const lines = linesOf(moved, chain);
  const isKnown = chain.opening !== undefined && chain.closing !== undefined;
  const ends = isKnown
    ? { opening: chain.opening, closing: chain.closing }
    : { opening: undefined, closing: undefined };
  return { account: undefined, ...ends, isGuessed: chain.isGuessed, ...daysOf(lines), lines, provedBy };
}

/**
 * A minus before what left means the one or the other: what proves the file says which, or the balances around the line. Of the oldest
 * line, before which no balance stands, other lines of the file say it, and what proves the file in the end.
 */
function refuseUnsure(moved: readonly Read[], { before, behind }: Chain, provedBy: readonly Proof[]): void {
  if (isProvedWhole(provedBy)) return;
  const unsure = moved.filter((one) => one.unsure !== undefined);
  const isBetween = (one: Read): boolean => !before.has(one) && !behind.has(one);
  const isKnown = unsure.some(isBetween);
  const doubtful = unsure.find((one) => behind.has(one) || (before.has(one) && !isKnown));
  if (doubtful?.unsure === undefined) return;
  throw unreadable(
    doubtful.unsure.where,
    `${doubtful.unsure.what}, and nothing in the file proves what is meant by it`,
  );
}

/** The rows that have a day: the lines of the account, and balances with their day. */
async function datedRows(
  rows: readonly Row[],
  width: number,
  at: Column,
  readDay: (text: string) => string | undefined,
): Promise<Row[]> {
  const dated: Row[] = [];
  for (const [place, row] of rows.entries()) {
    if (place % AT_ONCE === 0) await pause();
    if (row.fields.length === width && readDay(row.fields[at ?? 0] ?? '') !== undefined) dated.push(row);
  }
  return dated;
}

function linesOf(moved: readonly { line: BankLine | undefined }[], { balances }: Chain): BankLine[] {
  return moved.flatMap(({ line }, at) => (line === undefined ? [] : [{ ...line, balance: balances[at] }]));
}

/** A text's first rows, and what stands behind them. */
function cutAt(text: string, rows: number): [before: string, behind: string] {
  if (rows === 0) return ['', text];
  const end = /\r\n|\n|\r/g;
  for (let at = 0; at < rows; at += 1) if (end.exec(text) === null) return [text, ''];
  return [text.slice(0, end.lastIndex), text.slice(end.lastIndex)];
}

/** The fields of a row before the header, which holds no line of the account: simply by quotation marks. */
const fieldsOf = (row: string, delimiter: string): string[] =>
  row.length > 2_000 ? [] : row.split('"').flatMap((part, at) => (at % 2 === 1 ? [part] : part.split(delimiter)));

/** Headers stand on each page of some files. */
const isSameRow = ({ fields }: Row, header: Row | undefined): boolean =>
  header !== undefined &&
  fields.length === header.fields.length &&
  fields.every((field, at) => field === header.fields[at]);

type Column = number | undefined;

/** Finds columns, by their names in a header or by their numbers. */
function columnsIn(header: Row | undefined) {
  const plain = (name: string): string => withoutInvisible(name.slice(0, NAME_MAX)).toLowerCase();
  const names = header?.fields.map(plain);
  return (named: string | undefined, member: string): Column => {
    if (named === undefined) return undefined;
    const at = names === undefined ? Number(named) - 1 : names.indexOf(plain(named));
    if (Number.isInteger(at) && at >= 0 && (names === undefined || names.lastIndexOf(names[at] ?? '') === at))
      return at;
    const where = header === undefined ? `mapping.${member}` : `line ${header.number}`;
    throw unreadable(
      where,
      names === undefined ? 'must be the number of a column' : `no one column is called ${named}`,
    );
  };
}

interface Columns extends SummaryColumns {
  /** What says the currency of an amount, where there is such a column. */
  currency: Column;
}

const columnsOf = (mapping: CsvMapping, column: ReturnType<typeof columnsIn>): SummaryColumns => ({
  date: column(mapping.date, 'date'),
  amount: column(mapping.amount, 'amount'),
  debit: column(mapping.debit, 'debit'),
  credit: column(mapping.credit, 'credit'),
  reference: column(mapping.reference, 'reference'),
  narration: column(mapping.narration, 'narration'),
  balance: column(mapping.balance, 'balance'),
});

interface Read extends Balanced {
  /** Undefined of a row that moved nothing. */
  line: BankLine | undefined;
  /** What of its direction may mean either, unless something proves it. */
  unsure: Unsure | undefined;
}

/** What banks write behind the last line. A row of the account that is cut has fewer fields, and begins with its day. */
function isRemark({ fields }: Row, width: number): boolean {
  const [text, ...others] = fields.map((field) => field.trim()).filter((field) => field !== '');
  if (text === undefined || others.length > 0 || text.length < REMARK_MIN) return false;
  return (fields.length === width ? /[a-z]\s/i : /^\D+\s/).test(text.slice(0, 100));
}

/** Reads a row; undefined where it says something of the file, as `isOfFile` finds, and REMARK for a text alone. */
function lineReader(
  mapping: CsvMapping,
  at: Columns,
  { readDay, sides }: { readDay: (text: string) => string | undefined; sides: Sides },
) {
  const cell = ({ fields }: Row, where: Column): string => (where === undefined ? '' : (fields[where] ?? '').trim());
  return (row: Row, width: number, isOfFile: (isDated: boolean) => boolean): Read | 'REMARK' | undefined => {
    const { number, fields } = row;
    const written = cell(row, at.date);
    const day = fields.length === width ? readDay(written) : undefined;
    // What is no day as the mapping says is one all the same, that was written in another way.
    const isDated = day !== undefined || (fields.length === width && isOtherDay(written));
    if (isOfFile(isDated)) return undefined;
    if (day === undefined && isRemark(row, width)) return 'REMARK';
    if (fields.length !== width) {
      throw unreadable(`line ${number}`, `${fields.length} fields, and ${width} in the header or first row`);
    }
    if (day === undefined) {
      throw unreadable(
        `line ${number}, date`,
        written === ''
          ? 'missing, and the row is none of totals or balances'
          : `not a day written as ${mapping.dateFormat}`,
      );
    }
    const currency = cell(row, at.currency);
    if (!/^(?:|NGN|₦|N|NAIRA)$/i.test(currency)) {
      throw unreadable(`line ${number}, currency`, `the currency is ${currency.slice(0, 10)}, not NGN`);
    }
    const sideInRow = sides.of(row);
    const { amount, unsure } =
      at.amount === undefined
        ? twoSided(row, { ...at, sideInRow }, mapping)
        : oneSided(row, { at: at.amount, sideInRow, isLeftOut: sides.isLeftOut(row) }, mapping);
    refuseOther(row, amount, sides.hintOf(row));
    const after = cell(row, at.balance);
    const stated = after === '' ? undefined : readAmount(after, mapping.decimalMark);
    if (after !== '' && stated === undefined) throw notAmount(row, 'balance');
    const read = { number, day, amount, stated, unsure };
    if (amount === 0n) return { ...read, line: undefined };
    const reference = referenceOf(cell(row, at.reference), `line ${number}, reference`);
    const narration = oneLine(cell(row, at.narration));
    return { ...read, line: { number, day, amount, reference, bankReference: '', narration } };
  };
}

/** A text in the column of days that is no label of a balance or a total, and has the digits of a day. */
const isOtherDay = (text: string): boolean =>
  text.length <= DAY_TEXT_MAX && /\d\D*\d/.test(text) && labelOf(text.split(':')[0] ?? '') === undefined;

function refuseOther({ number }: Row, amount: Minor, hint: 'C' | 'D' | undefined): void {
  if (amount === 0n || hint === undefined || hint === (amount > 0n ? 'C' : 'D')) return;
  throw unreadable(`line ${number}, amount`, `called ${hint === 'C' ? 'a credit' : 'a debit'}, and read as the other`);
}

const notAmount = ({ number }: Row, field: string) =>
  unreadable(`line ${number}, ${field}`, 'not an amount of at most two decimals');

function writtenIn(row: Row, at: number, field: string, { decimalMark }: CsvMapping): WrittenAmount {
  const written = readWritten(row.fields[at] ?? '', decimalMark);
  if (written === undefined) throw notAmount(row, field);
  return written;
}

interface Unsure {
  where: string;
  what: string;
}
interface Directed {
  amount: Minor;
  unsure?: Unsure | undefined;
}

/** A column with a sign: what it says of the direction twice, it must say alike. */
function oneSided(
  row: Row,
  { at, sideInRow, isLeftOut }: { at: number; sideInRow: 'C' | 'D' | undefined; isLeftOut: boolean },
  mapping: CsvMapping,
): Directed {
  const { amount, sign, side: called } = writtenIn(row, at, 'amount', mapping);
  if (called !== undefined && sideInRow !== undefined && called !== sideInRow) {
    throw unreadable(`line ${row.number}, amount`, 'called a credit and a debit');
  }
  const side = called ?? sideInRow;
  const bySign = sign === undefined ? undefined : (sign === '-') !== mapping.isInverted ? 'D' : 'C';
  const isOtherwise = side === 'C' && sign === undefined && mapping.isInverted;
  if (isOtherwise || (bySign !== undefined && side !== undefined && bySign !== side)) {
    throw unreadable(
      `line ${row.number}, amount`,
      `called ${side === 'C' ? 'a credit' : 'a debit'}, and its sign says otherwise`,
    );
  }
  const direction = side ?? bySign ?? (mapping.isInverted ? 'D' : 'C');
  const isUnsure = isLeftOut && called === undefined && sign === undefined && amount !== 0n;
  const unsure = { where: `line ${row.number}, amount`, what: 'called neither a debit nor a credit, as others are' };
  return { amount: direction === 'D' ? negated(amount) : amount, unsure: isUnsure ? unsure : undefined };
}

/** A column for each direction: one of them holds an amount, and what is said of its sign must be said alike. */
function twoSided(
  row: Row,
  at: { debit: Column; credit: Column; sideInRow: 'C' | 'D' | undefined },
  mapping: CsvMapping,
): Directed {
  let unsure: Unsure | undefined;
  const amountIn = (where: Column, field: 'debit' | 'credit'): bigint | undefined => {
    if (where === undefined || /^[-–]?$/.test(row.fields[where]?.trim() ?? '')) return undefined;
    const { amount, sign, side } = writtenIn(row, where, field, mapping);
    const called = side ?? at.sideInRow;
    const own = field === 'debit' ? 'D' : 'C';
    const place = `line ${row.number}, ${field}`;
    if (amount === 0n) return 0n;
    if ((called !== undefined && called !== own) || (at.sideInRow ?? own) !== own) {
      throw unreadable(place, `called a ${called === 'C' ? 'credit' : 'debit'} in the column of ${field}s`);
    }
    // Some banks put a minus before whatever left, and others before what they take back.
    if (sign === '-' && field === 'debit' && called === undefined)
      unsure = { where: place, what: 'a minus in a column of what left' };
    else if (sign !== undefined && (sign === '-') !== (own === 'D')) {
      throw unreadable(
        place,
        `its sign says that it ${sign === '-' ? 'left' : 'came in'}, its column that it ${own === 'D' ? 'left' : 'came in'}`,
      );
    }
    return amount;
  };
  const [debit, credit] = [amountIn(at.debit, 'debit'), amountIn(at.credit, 'credit')];
  if (debit === undefined && credit === undefined)
    throw unreadable(`line ${row.number}`, 'neither a debit nor a credit');
  if ((debit ?? 0n) > 0n && (credit ?? 0n) > 0n)
    throw unreadable(`line ${row.number}, debit`, 'the line is both debit and credit');
  return { amount: asMinor((credit ?? 0n) - (debit ?? 0n)), unsure };
}
