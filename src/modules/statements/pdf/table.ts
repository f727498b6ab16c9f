import { amount, day, symbols, time } from '../format.ts';
import type { Line, Statement } from '../statement.ts';
import { LINE_HEIGHT } from './page-plan.ts';
import { MUTED, PAGE, type Pen, RULE, WIDTH } from './pen.ts';
import type { Element } from './structure.ts';

const HEADER_HEIGHT = 18;
/** Of a row that shows a balance. */
const BALANCE_HEIGHT = 18;
/** Characters of a reference in the first of its two lines. */
const REFERENCE_LINE = 22;

const widths = { date: 56, description: 166, reference: 92, debit: 66, credit: 66, balance: 69.28 };
type Column = keyof typeof widths;
const names = Object.keys(widths) as Column[];
const GAP = 6;

const columns = (() => {
  let x: number = PAGE.margin;
  const boxes = Object.entries(widths).map(([name, width]) => {
    const box = [name, { x: x + GAP / 2, width: width - GAP }] as const;
    x += width;
    return box;
  });
  return Object.fromEntries(boxes) as Record<Column, { x: number; width: number }>;
})();

/** What writes a row's cells; a cell that has none is empty. */
type Cells = Partial<Record<Column, () => void>>;

/** Writes a row of the table; without `rows`, one that a page repeats and a screen reader passes over. */
function writeCells(pen: Pen, rows: Element | undefined, role: 'TH' | 'TD', cells: Cells): void {
  if (rows === undefined) return pen.structure.artifact(() => names.forEach((name) => cells[name]?.()));
  const row = rows.open('TR');
  for (const name of names) {
    const write = cells[name];
    if (write === undefined) row.open(role).end();
    else row.add(role, write);
  }
  row.end();
}

/** Writes the names of the columns, as on every page. @returns where the rows begin */
export function writeHeader(pen: Pen, y: number, { currency }: Statement, rows: Element | undefined): number {
  const symbol = symbols[currency].trim();
  pen.band(y, HEADER_HEIGHT);
  const name =
    (text: string, column: Column, align: 'left' | 'right' = 'left') =>
    () =>
      pen.text(text, { ...columns[column], y: y + 5 }, { font: 'bold', size: 7, color: MUTED, align });
  writeCells(pen, rows, 'TH', {
    date: name('Date', 'date'),
    description: name('Description', 'description'),
    reference: name('Reference', 'reference'),
    debit: name(`Debit (${symbol})`, 'debit', 'right'),
    credit: name(`Credit (${symbol})`, 'credit', 'right'),
    balance: name(`Balance (${symbol})`, 'balance', 'right'),
  });
  return y + HEADER_HEIGHT;
}

/** Writes a row with a balance, and with the totals where they are given. @returns where the next row begins */
export function writeBalance(
  pen: Pen,
  y: number,
  { name, balance, debits, credits }: { name: string; balance: bigint; debits?: bigint; credits?: bigint },
  rows: Element | undefined,
): number {
  const style = { font: 'bold', size: 7.5, align: 'right' } as const;
  const total = (value: bigint | undefined, column: Column) =>
    value === undefined
      ? {}
      : { [column]: () => pen.fittedText(amount(value), { ...columns[column], y: y + 5 }, style) };
  writeCells(pen, rows, 'TD', {
    date: () => pen.text(name, { ...columns.date, y: y + 5, width: 200 }, { font: 'bold', size: 7.5 }),
    ...total(debits, 'debit'),
    ...total(credits, 'credit'),
    ...total(balance, 'balance'),
  });
  pen.rule(y + BALANCE_HEIGHT - 0.6);
  return y + BALANCE_HEIGHT;
}

/** Writes one movement in two lines: day and description above; time, the rest of the description and the comment below. */
export function writeLine(pen: Pen, y: number, line: Line, rows: Element): number {
  const [above, below] = [y + 4, y + 13.6];
  const small = { size: 6.5, color: MUTED };
  const figure = (value: bigint | undefined, column: Column) =>
    value === undefined
      ? {}
      : {
          [column]: () =>
            pen.fittedText(amount(value), { ...columns[column], y: above }, { size: 7.5, align: 'right' }),
        };
  writeCells(pen, rows, 'TD', {
    date() {
      pen.text(`${day(line.at)} `, { ...columns.date, y: above }, { size: 7.5 });
      pen.text(time(line.at), { ...columns.date, y: below }, small);
    },
    description() {
      const [what, more] = pen.splitLine(line.description, columns.description.width, { size: 7.5 });
      pen.text(`${what} `, { ...columns.description, y: above }, { size: 7.5 });
      pen.text(noteOf(more, line), { ...columns.description, y: below }, small);
    },
    reference() {
      const [first, second] = [line.reference.slice(0, REFERENCE_LINE), line.reference.slice(REFERENCE_LINE)];
      pen.fittedText(first, { ...columns.reference, y: above }, small);
      pen.text(second, { ...columns.reference, y: above + 8 }, small);
    },
    ...figure(line.debit, 'debit'),
    ...figure(line.credit, 'credit'),
    ...figure(line.balance, 'balance'),
  });
  pen.rule(y + LINE_HEIGHT - 0.5, RULE, 0.4);
  return y + LINE_HEIGHT;
}

const noteOf = (more: string, { comment, fee }: Line): string =>
  [more, fee > 0n ? `incl. fee ${amount(fee)}` : '', comment ?? ''].filter((part) => part !== '').join(' · ');

/** Writes the row of a statement without movements. */
export function writeNothing(pen: Pen, y: number, rows: Element): number {
  const text = 'There were no transactions in this period.';
  writeCells(pen, rows, 'TD', {
    date: () => pen.text(text, { x: PAGE.margin + GAP / 2, y: y + 7, width: WIDTH }, { size: 8, color: MUTED }),
  });
  pen.rule(y + LINE_HEIGHT - 0.5, RULE, 0.4);
  return y + LINE_HEIGHT;
}
