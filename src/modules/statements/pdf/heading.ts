import { testMark } from '../facts.ts';
import { currencyNames, momentText, money, periodText } from '../format.ts';
import type { Statement } from '../statement.ts';
import { INK, MUTED, PAGE, type Pen, type TextStyle, WIDTH } from './pen.ts';

const { margin } = PAGE;
const ALERT = '#a3211b';

/** Where the table begins on the first page and on each later one. */
export const FIRST_TABLE_Y = 298;
export const LATER_TABLE_Y = 86;

/** Writes the heading of the first page: holder, account, period and totals. */
export function writeHeading(pen: Pen, statement: Statement): void {
  const paragraph = (write: () => void) => pen.structure.document.add('P', write);
  const right = { x: margin + 200, width: WIDTH - 200 };
  pen.structure.document.add('H1', () =>
    pen.text('Statement of account', { ...right, y: 40 }, { font: 'bold', size: 15, align: 'right' }),
  );
  paragraph(() => writeBrand(pen, { x: margin, y: 36, width: 200, height: 36 }));
  paragraph(() => pen.text(periodText(statement), { ...right, y: 60 }, { size: 9.5, color: MUTED, align: 'right' }));
  pen.rule(82, pen.brand.colours.accent, 1.4);

  const half = WIDTH / 2;
  paragraph(() => writeName(pen, statement.holder, { x: margin, y: 97, width: WIDTH }, { font: 'bold', size: 13 }));
  const { paytag, address } = statement;
  const { accent } = pen.brand.colours;
  if (paytag !== undefined)
    paragraph(() => pen.text(`@${paytag} `, { x: margin, y: 114, width: WIDTH }, { size: 10, color: accent }));
  if (address !== undefined)
    paragraph(() => writeName(pen, address, { x: margin, y: 129, width: WIDTH }, { size: 9, color: MUTED }));
  const facts = [
    ['Account number', statement.nuban],
    ['Held with', statement.partner],
    ['Currency', currencyNames[statement.currency]],
    ['Issued', momentText(statement.issuedAt)],
  ] as const;
  facts.forEach(([name, value], at) => {
    const x = margin + (at % 2) * half;
    const y = 151 + Math.floor(at / 2) * 28;
    paragraph(() => {
      pen.text(`${name} `, { x, y, width: half - 16 }, { size: 7, color: MUTED });
      writeName(pen, value, { x, y: y + 9.5, width: half - 16 }, { size: 9.5 });
    });
  });
  writeTotals(pen, statement);
}

/** Writes whose paper it is: the logo that a PDF can hold, or the name. */
function writeBrand(pen: Pen, box: { x: number; y: number; width: number; height: number }): void {
  const { name, pdfLogo, colours } = pen.brand;
  if (pdfLogo !== undefined) pen.logo(pdfLogo, box);
  else writeName(pen, name, { ...box, y: box.y + 4 }, { font: 'bold', size: 20, color: colours.accent });
}

/** Writes on a page, before anything else, that its money is not real; on the first one for a screen reader as well. */
export function writeTestMark(pen: Pen, statement: Statement, page: number): void {
  const mark = testMark(statement);
  if (mark === undefined) return;
  pen.watermark('TEST');
  const write = () => pen.text(`${mark} `, { x: margin, y: 20, width: WIDTH }, { font: 'bold', size: 8, color: ALERT });
  if (page === 1) pen.structure.document.add('P', write);
  else pen.structure.artifact(write);
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
  const [y, width] = [220, WIDTH / totals.length];
  pen.band(y, 52);
  totals.forEach(([name, value], at) => {
    const box = { x: margin + at * width + 12, width: width - 18 };
    const isLast = at === totals.length - 1;
    const text = money(value, currency);
    pen.structure.document.add('P', () => {
      pen.text(`${name} `, { ...box, y: y + 11 }, { size: 7.5, color: MUTED });
      pen.fittedText(
        text,
        { ...box, y: y + 24 },
        { font: 'bold', size: 11.5, color: isLast ? pen.brand.colours.accent : INK },
      );
    });
  });
}

/** Writes the heading of a later page: which statement it belongs to. */
export function writeLaterHeading(pen: Pen, statement: Statement): void {
  const { accent } = pen.brand.colours;
  const whose = `${statement.nuban} · ${periodText(statement)} · ${statement.holder}`;
  pen.structure.artifact(() => {
    pen.text(pen.brand.name, { x: margin, y: 40, width: 160 }, { font: 'bold', size: 12, color: accent });
    pen.text(whose, { x: margin + 170, y: 43, width: WIDTH - 170 }, { size: 8, color: MUTED, align: 'right' });
  });
  pen.rule(62, accent, 1);
}
