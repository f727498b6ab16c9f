import { amount, day, symbols, time } from '../format.ts';
import type { Line, Statement } from '../statement.ts';
import { LINE_HEIGHT } from './page-plan.ts';
import { MUTED, PAGE, type Pen, RULE, WIDTH } from './pen.ts';

const HEADER_HEIGHT = 18;
/** Of a row that tells a balance. */
const BALANCE_HEIGHT = 18;
/** Characters of a reference in one of its two lines, and in both. */
const REFERENCE_LINE = 22;

const widths = { date: 56, description: 166, reference: 92, debit: 66, credit: 66, balance: 69.28 };
type Column = keyof typeof widths;
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

/** The names of the columns, on every page. Answers where the rows begin. */
export function writeHeader(pen: Pen, y: number, { currency }: Statement): number {
  const symbol = symbols[currency].trim();
  pen.band(y, HEADER_HEIGHT);
  const name = (text: string, column: Column, align: 'left' | 'right' = 'left') =>
    pen.text(text, { ...columns[column], y: y + 5 }, { font: 'bold', size: 7, color: MUTED, align });
  name('Date', 'date');
  name('Description', 'description');
  name('Reference', 'reference');
  name(`Debit (${symbol})`, 'debit', 'right');
  name(`Credit (${symbol})`, 'credit', 'right');
  name(`Balance (${symbol})`, 'balance', 'right');
  return y + HEADER_HEIGHT;
}

/** A row that tells a balance and, of the closing one, the totals. Answers where the next row begins. */
export function writeBalance(
  pen: Pen,
  y: number,
  { name, balance, debits, credits }: { name: string; balance: bigint; debits?: bigint; credits?: bigint },
): number {
  const style = { font: 'bold', size: 7.5, align: 'right' } as const;
  pen.text(name, { ...columns.date, y: y + 5, width: 200 }, { font: 'bold', size: 7.5 });
  if (debits !== undefined) pen.whole(amount(debits), { ...columns.debit, y: y + 5 }, style);
  if (credits !== undefined) pen.whole(amount(credits), { ...columns.credit, y: y + 5 }, style);
  pen.whole(amount(balance), { ...columns.balance, y: y + 5 }, style);
  pen.rule(y + BALANCE_HEIGHT - 0.6);
  return y + BALANCE_HEIGHT;
}

/** One movement: when and what above, the time, what more there is to say and its comment below. */
export function writeLine(pen: Pen, y: number, line: Line): number {
  const [above, below] = [y + 4, y + 13.6];
  pen.text(day(line.at), { ...columns.date, y: above }, { size: 7.5 });
  pen.text(time(line.at), { ...columns.date, y: below }, { size: 6.5, color: MUTED });
  const [what, more] = pen.broken(line.description, columns.description.width, { size: 7.5 });
  pen.text(what, { ...columns.description, y: above }, { size: 7.5 });
  pen.text(noteOf(more, line), { ...columns.description, y: below }, { size: 6.5, color: MUTED });
  const { reference } = line;
  const [first, second] = [reference.slice(0, REFERENCE_LINE), reference.slice(REFERENCE_LINE)];
  pen.whole(first, { ...columns.reference, y: above }, { size: 6.5, color: MUTED });
  pen.text(second, { ...columns.reference, y: above + 8 }, { size: 6.5, color: MUTED });
  const style = { size: 7.5, align: 'right' } as const;
  if (line.debit !== undefined) pen.whole(amount(line.debit), { ...columns.debit, y: above }, style);
  if (line.credit !== undefined) pen.whole(amount(line.credit), { ...columns.credit, y: above }, style);
  pen.whole(amount(line.balance), { ...columns.balance, y: above }, style);
  pen.rule(y + LINE_HEIGHT - 0.5, RULE, 0.4);
  return y + LINE_HEIGHT;
}

const noteOf = (more: string, { comment, fee }: Line): string =>
  [more, fee > 0n ? `incl. fee ${amount(fee)}` : '', comment ?? ''].filter((part) => part !== '').join(' · ');

/** Said where there is no line. */
export function writeNothing(pen: Pen, y: number): number {
  const text = 'There were no transactions in this period.';
  pen.text(text, { x: PAGE.margin + GAP / 2, y: y + 7, width: WIDTH }, { size: 8, color: MUTED });
  pen.rule(y + LINE_HEIGHT - 0.5, RULE, 0.4);
  return y + LINE_HEIGHT;
}
