import { amount, currencyNames, day, periodText, symbols, time } from '../format.ts';
import type { Statement } from '../statement.ts';
import { ACCENT, INK, MUTED, PAGE, type Pen, type TextStyle, WIDTH } from './pen.ts';

const { margin } = PAGE;

/** Where the table begins on the first page and on each later one. */
export const FIRST_TABLE_Y = 286;
export const LATER_TABLE_Y = 86;

/** Writes the heading of the first page: holder, account, period and totals. */
export function writeHeading(pen: Pen, statement: Statement): void {
  const paragraph = (write: () => void) => pen.structure.document.add('P', write);
  const right = { x: margin + 200, width: WIDTH - 200 };
  pen.structure.document.add('H1', () =>
    pen.text('Statement of account', { ...right, y: 40 }, { font: 'bold', size: 15, align: 'right' }),
  );
  paragraph(() => pen.text('PayTag', { x: margin, y: 40, width: 200 }, { font: 'bold', size: 20, color: ACCENT }));
  paragraph(() => pen.text(periodText(statement), { ...right, y: 60 }, { size: 9.5, color: MUTED, align: 'right' }));
  pen.rule(82, ACCENT, 1.4);

  const half = WIDTH / 2;
  paragraph(() => writeName(pen, statement.holder, { x: margin, y: 97, width: WIDTH }, { font: 'bold', size: 13 }));
  const { paytag } = statement;
  if (paytag !== undefined)
    paragraph(() => pen.text(`@${paytag}`, { x: margin, y: 114, width: WIDTH }, { size: 10, color: ACCENT }));
  const facts = [
    ['Account number', statement.nuban],
    ['Held with', statement.partner],
    ['Currency', currencyNames[statement.currency]],
    ['Issued', `${day(statement.issuedAt)}, ${time(statement.issuedAt)}`],
  ] as const;
  facts.forEach(([name, value], at) => {
    const x = margin + (at % 2) * half;
    const y = 139 + Math.floor(at / 2) * 28;
    paragraph(() => {
      pen.text(`${name} `, { x, y, width: half - 16 }, { size: 7, color: MUTED });
      writeName(pen, value, { x, y: y + 9.5, width: half - 16 }, { size: 9.5 });
    });
  });
  writeTotals(pen, statement);
}

/** Writes a name; a long one in two smaller lines. */
function writeName(pen: Pen, name: string, box: { x: number; y: number; width: number }, style: TextStyle): void {
  const small = { ...style, size: style.size * 0.65 };
  const [first, second] = pen.splitLine(name, box.width, small);
  if (second === '') return pen.fittedText(name, box, style);
  const y = box.y - style.size * 0.15;
  pen.text(`${first} `, { ...box, y }, small);
  pen.text(second, { ...box, y: y + small.size * 1.15 }, small);
}

function writeTotals(pen: Pen, { currency, opening, credits, debits, closing }: Statement): void {
  const totals = [
    ['Opening balance', opening],
    ['Total credits', credits],
    ['Total debits', debits],
    ['Closing balance', closing],
  ] as const;
  const [y, width] = [208, WIDTH / totals.length];
  pen.band(y, 52);
  totals.forEach(([name, value], at) => {
    const box = { x: margin + at * width + 12, width: width - 18 };
    const isLast = at === totals.length - 1;
    const text = `${symbols[currency]}${amount(value)}`;
    pen.structure.document.add('P', () => {
      pen.text(`${name} `, { ...box, y: y + 11 }, { size: 7.5, color: MUTED });
      pen.fittedText(text, { ...box, y: y + 24 }, { font: 'bold', size: 11.5, color: isLast ? ACCENT : INK });
    });
  });
}

/** Writes the heading of a later page: which statement it belongs to. */
export function writeLaterHeading(pen: Pen, statement: Statement): void {
  const whose = `${statement.nuban} · ${periodText(statement)} · ${statement.holder}`;
  pen.structure.artifact(() => {
    pen.text('PayTag', { x: margin, y: 40, width: 80 }, { font: 'bold', size: 12, color: ACCENT });
    pen.text(whose, { x: margin + 80, y: 43, width: WIDTH - 80 }, { size: 8, color: MUTED, align: 'right' });
  });
  pen.rule(62, ACCENT, 1);
}
