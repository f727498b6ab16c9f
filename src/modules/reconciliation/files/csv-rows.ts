import { Readable } from 'node:stream';
import { LINES_MAX, pause, unreadable } from './bank-file.ts';

/** A row of a CSV, and the line that it ends on. */
export interface Row {
  number: number;
  fields: readonly string[];
}

/** A longer one is no field, but a quotation mark that is never closed. */
const RECORD_MAX = 64 * 1024;

/** Rows that are none of the account: of totals, pages and blanks. */
const OTHER_ROWS_MAX = 10_000;

/** Fields of a row. A bank's file has some twenty. */
const FIELDS_MAX = 1_000;

/** Of rows of one letter each, as many as are parsed in one turn of the event loop. */
const CHUNK = 4 * 1024;

/**
 * The rows of a CSV, a piece at a time. CR, LF and both together end a row, in the same file too, and a quotation mark within a text
 * is one of its letters. A text in quotation marks may go over several lines, unless it holds what begins a row.
 *
 * @param beginsRow whether a field is what a row begins with, as its day
 * @param before lines that stand before the text
 * @throws DomainError BANK_FILE_UNREADABLE
 */
export async function csvRows(
  text: string,
  { delimiter, before, beginsRow }: { delimiter: string; before: number; beginsRow: (field: string) => boolean },
): Promise<Row[]> {
  const { CsvError, parse } = await import('csv-parse');
  const rows: Row[] = [];
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_MAX,
  });
  const source = Readable.from(pieces(Buffer.from(text), delimiter));
  try {
    const records: AsyncIterable<{ record: string[]; info: { lines: number } }> = source.compose(parser);
    for await (const { record: fields, info } of records) {
      const number = info.lines + before;
      if (rows.length > LINES_MAX + OTHER_ROWS_MAX) {
        throw unreadable(`line ${number}`, `a file has ${LINES_MAX} lines at most`);
      }
      if (fields.length > FIELDS_MAX) throw unreadable(`line ${number}`, `a row has ${FIELDS_MAX} fields at most`);
      if (fields.some((field) => /[\r\n]/.test(field) && holdsRow(field, delimiter, beginsRow))) {
        throw unreadable(`line ${number}`, 'a quotation mark is closed in a later row than it is opened in');
      }
      rows.push({ number, fields });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(`line ${Number(error['lines'] ?? 1) + before}`, `not CSV: ${error.code}`);
  }
  return rows;
}

/** @throws DomainError BANK_FILE_UNREADABLE for a row of more delimiters than a row may have letters: the parser would keep a field for each */
async function* pieces(bytes: Buffer, delimiter: string): AsyncGenerator<Buffer> {
  let delimiters = 0;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const piece = bytes.subarray(at, at + CHUNK);
    const row = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r'));
    if (row >= 0) delimiters = 0;
    for (let found = piece.indexOf(delimiter, row + 1); found >= 0; found = piece.indexOf(delimiter, found + 1)) {
      delimiters += 1;
    }
    if (delimiters > RECORD_MAX) throw unreadable('line 1', `a row has ${FIELDS_MAX} fields at most`);
    yield piece;
    await pause();
  }
}

/** A day, in whatever way it is written, and an amount of two decimals. */
const DAY = /^(?:\d{1,4}|[A-Z]{3,9})[-/. ](?:\d{1,2}|[A-Z]{3,9})[-/. ,]\s?\d{2,4}$/i;

const AMOUNT = /^[-+(]?\d[\d, ]*\.\d{2}\)?$/;

/** A longer text is none of them. */
const PART_MAX = 40;

/** Whether a line behind the first one of a field holds what begins a row; or a day in another way, where the field holds an amount too. */
function holdsRow(field: string, delimiter: string, beginsRow: (field: string) => boolean): boolean {
  const partsOf = (line: string): string[] => line.split(delimiter).map((part) => part.replaceAll('"', '').trim());
  const [first = '', ...others] = field.split(/[\r\n]+/);
  const behind = others.flatMap(partsOf);
  const isSome = (parts: readonly string[], pattern: RegExp): boolean =>
    parts.some((part) => part.length < PART_MAX && pattern.test(part));
  return behind.some(beginsRow) || (isSome(behind, DAY) && isSome([...partsOf(first), ...behind], AMOUNT));
}

/** Whether money came in or left. */
export type Side = 'C' | 'D';

/** What the rows of a file say of the direction of their amounts, in columns that hold no amount. */
export interface Sides {
  /** What a row is called; undefined where nothing is said. @throws DomainError BANK_FILE_UNREADABLE where it is called both, or neither */
  of(row: Row): Side | undefined;
  /** Whether a row is called nothing where others are. */
  isLeftOut(row: Row): boolean;
  /** What a row is called in a column that says other things too: it may not contradict what was read, and says nothing alone. */
  hintOf(row: Row): Side | undefined;
}

/** Letters of a header that name such a column, whatever its rows hold. */
const NAMES =
  /^(?:dc|cd|drcr|crdr|dbcr|crdb|debitcredit|creditdebit|debitorcredit|creditordebit)(?:indicator|ind|flag|mark|sign|type|code)?$/;

/** And of a column of signs. */
const SIGNS = new Set(['sign', '+/-', '-/+']);

const HYPHEN = /^[-–−]$/;

const WORDS: Readonly<Record<Side, RegExp>> = {
  C: /^(?:C|CR|CRED|CRDT|CREDITS?|CREDITED|DEPOSITS?|LODGE?MENTS?|INFLOW|IN|INCOMING|(?:MONEY|PAID) IN)\.?$/i,
  D: /^(?:D|DR|DB|DEB|DBIT|DEBITS?|DEBITED|WITHDRAWALS?|OUTFLOW|OUT|OUTGOING|(?:MONEY|PAID) OUT)\.?$/i,
};

/** A longer text is none of these. */
const WORD_MAX = 14;

const AT_ONCE = 500;

function sideOf(cell: string): Side | undefined {
  const word = cell.length > WORD_MAX * 2 ? '' : cell.trim();
  if (word === '' || word.length > WORD_MAX) return undefined;
  return WORDS.C.test(word) ? 'C' : WORDS.D.test(word) ? 'D' : undefined;
}

/**
 * Finds the columns that say the direction: those that the header names so, and those in which every row says nothing else. A column
 * that the mapping names for something is none.
 *
 * @param mapped the columns that the mapping names
 * @param lines the rows of the account
 */
export async function sidesIn(
  header: Row | undefined,
  mapped: ReadonlySet<number | undefined>,
  lines: readonly Row[],
): Promise<Sides> {
  const nameOf = (at: number): string => (header?.fields[at] ?? '').trim().slice(0, 40).toLowerCase();
  const isNamed = (at: number): boolean => NAMES.test(nameOf(at).replaceAll(/[^a-z]/g, ''));
  const width = (header ?? lines[0])?.fields.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) => ({ at, sides: 0, others: 0, pluses: 0, hyphens: 0 }));
  const free = columns.filter(({ at }) => !mapped.has(at));
  for (const [place, { fields }] of lines.entries()) {
    if (place % AT_ONCE === 0) await pause();
    for (const column of free) {
      const cell = (fields[column.at] ?? '').trim();
      if (cell === '') continue;
      if (HYPHEN.test(cell)) column.hyphens += 1;
      else if (cell === '+') column.pluses += 1;
      else if (sideOf(cell) === undefined) column.others += 1;
      else column.sides += 1;
    }
  }
  // A hyphen alone says that there is nothing, but in a column of signs.
  const signs = new Set(free.filter(({ at, pluses }) => pluses > 0 || SIGNS.has(nameOf(at))).map(({ at }) => at));
  const isSide = (at: number): boolean => {
    const { sides, others, pluses, hyphens } = columns[at] ?? { sides: 0, others: 1, pluses: 0, hyphens: 0 };
    return others === 0 && sides + pluses + (signs.has(at) ? hyphens : 0) > 0;
  };
  const said = free.map(({ at }) => at).filter((at) => isNamed(at) || isSide(at));
  const heard = said.filter((at) => (columns[at]?.sides ?? 0) + (columns[at]?.pluses ?? 0) > 0 || signs.has(at));
  const isSaid = (cell: string, at: number): boolean => cell !== '' && (!HYPHEN.test(cell) || signs.has(at));
  const hints = free.filter(({ at, sides }) => sides > 0 && !said.includes(at)).map(({ at }) => at);
  return {
    of({ number, fields }) {
      let side: Side | undefined;
      for (const at of said) {
        const cell = (fields[at] ?? '').trim();
        if (!isSaid(cell, at)) continue;
        const called = HYPHEN.test(cell) ? 'D' : cell === '+' ? 'C' : sideOf(cell);
        if (called === undefined) throw unreadable(`line ${number}`, `neither debit nor credit: ${cell.slice(0, 20)}`);
        if (side !== undefined && side !== called) throw unreadable(`line ${number}`, 'called a credit and a debit');
        side = called;
      }
      return side;
    },
    isLeftOut: ({ fields }) => heard.length > 0 && heard.every((at) => !isSaid((fields[at] ?? '').trim(), at)),
    hintOf({ fields }) {
      // One letter, or a short word of another meaning, may stand for anything there.
      const called = hints.map((at) =>
        /^(?:[CD]R|CREDIT|DEBIT)$/i.test(fields[at] ?? '') ? sideOf(fields[at] ?? '') : undefined,
      );
      return called.find((one) => one !== undefined);
    },
  };
}

/** Letters of a header that name a column of currencies. */
const CURRENCY_NAMES =
  /^(?:account|acct|amount|transaction|trans|tran|trx|txn)?(?:currency|currencies|curr|cur|ccy)(?:code|type)?$/;

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/**
 * The column that says the currency of the amounts: one that the header names so, or in which every row says one and nothing else.
 *
 * @param mapped the columns that the mapping names
 * @param lines the rows of the account
 */
export async function currencyIn(
  header: Row | undefined,
  mapped: ReadonlySet<number | undefined>,
  lines: readonly Row[],
): Promise<number | undefined> {
  const named = header?.fields.findIndex((name) =>
    CURRENCY_NAMES.test(
      name
        .slice(0, 40)
        .toLowerCase()
        .replaceAll(/[^a-z]/g, ''),
    ),
  );
  if (named !== undefined && named >= 0) return named;
  const width = (header ?? lines[0])?.fields.length ?? 0;
  let columns = Array.from({ length: width }, (_, at) => at).filter((at) => !mapped.has(at));
  const found = new Set<number>();
  for (const [place, { fields }] of lines.entries()) {
    if (place % AT_ONCE === 0) await pause();
    columns = columns.filter((at) => {
      const cell = (fields[at] ?? '').trim();
      if (cell === '') return true;
      if (!CURRENCIES.has(cell)) return false;
      found.add(at);
      return true;
    });
  }
  return columns.find((at) => found.has(at));
}
