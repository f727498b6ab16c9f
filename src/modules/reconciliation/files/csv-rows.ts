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
