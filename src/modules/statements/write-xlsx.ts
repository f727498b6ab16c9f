import { cleaned } from '#lib/text/output.ts';
import { decimal, factsOf } from './display-text.ts';
import type { Line, Statement } from './statement.ts';

/** Nigeria has no summer time; a spreadsheet knows no zones, and shows the clock of Lagos. */
const LAGOS_MS = 60 * 60 * 1000;
const lagosClock = (at: Date): Date => new Date(at.getTime() + LAGOS_MS);
/** Exact: the largest balance has fifteen digits, as many as a number of a spreadsheet. */
const number = (minor: bigint | undefined): number | null => (minor === undefined ? null : Number(decimal(minor)));

const MOMENT = 'dd mmm yyyy hh:mm:ss';
const AMOUNT = '#,##0.00';
const columns = [
  { header: 'Date', width: 21, numFmt: MOMENT },
  { header: 'Description', width: 44 },
  { header: 'Comment', width: 36 },
  { header: 'Reference', width: 30 },
  { header: 'External reference', width: 22 },
  { header: 'Currency', width: 10 },
  { header: 'Debit', width: 18, numFmt: AMOUNT },
  { header: 'Credit', width: 18, numFmt: AMOUNT },
  { header: 'Fee included', width: 14, numFmt: AMOUNT },
  { header: 'Balance', width: 18, numFmt: AMOUNT },
];
const NOTHING = [null, null, null];
type Row = (string | number | Date | null)[];

/**
 * A statement as a workbook of Excel (ISO/IEC 29500), with the rows of the CSV: amounts are numbers, dates are dates on the clock of Lagos,
 * and every text is a text, which no spreadsheet runs as a formula. The parts are compressed and given out as they are written: a
 * page of lines is held in memory. hucre is loaded with the first one.
 */
export async function* writeXlsx(statement: Statement): AsyncGenerator<Buffer> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  const workbook = writeXlsxStream(rowsOf(statement), { name: 'Statement', columns, freezePane: { rows: 1 } });
  for await (const part of workbook) yield Buffer.from(part);
}

async function* rowsOf(statement: Statement): AsyncGenerator<Row> {
  const { currency, from, to, opening, closing } = statement;
  const balanceRow = (at: Date, name: string, balance: bigint): Row => [
    lagosClock(at),
    name,
    ...NOTHING,
    currency,
    ...NOTHING,
    number(balance),
  ];
  const lineRow = ({ at, description, comment, reference, externalReference, ...amounts }: Line): Row => [
    lagosClock(at),
    printable(description),
    printable(comment),
    printable(reference),
    printable(externalReference),
    currency,
    number(amounts.debit),
    number(amounts.credit),
    number(amounts.fee),
    number(amounts.balance),
  ];
  for (const [name, value] of factsOf(statement)) yield [null, name, printable(value)];
  yield balanceRow(from, 'Opening balance', opening);
  for await (const lines of statement.pages) yield* lines.map(lineRow);
  yield balanceRow(to, 'Closing balance', closing);
}

/** A cleaned text, which has nothing that XML 1.0 has no way to write, and with what a reader would take for an escaped one escaped (ST_Xstring). */
const printable = (text: string | undefined): string | null =>
  text === undefined ? null : cleaned(text).replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
