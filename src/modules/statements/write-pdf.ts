import { setImmediate as nextTurn } from 'node:timers/promises';
import { supportText } from '#lib/brand.ts';
import { amount, currencyNames, day, momentText, money, periodText, symbols, testMark, time } from './display-text.ts';
import type { Element } from './pdf/pen.ts';
import { INK, MUTED, newPen, PAGE, type Pen, RULE, type TextStyle, WIDTH } from './pdf/pen.ts';
import type { Line, Statement } from './statement.ts';

const FOOTER_Y = PAGE.height - 40;

/**
 * A statement as PDF, a page at a time: the next page is laid out when the reader has taken this one, and other requests
 * have their turn in between. Only a page of lines and what the reader has not yet taken are held in memory.
 */
export async function* writePdf(statement: Statement): AsyncGenerator<Buffer> {
  const title = `Statement of account ${statement.nuban}, ${periodText(statement)}`;
  const subject = `${statement.holder}, ${currencyNames[statement.currency]}`;
  const pen = await newPen(statement.brand, { title, subject, at: statement.issuedAt });
  const pages = pageCount(statement.count);
  let [page, y, room] = [1, 0, FIRST_PAGE_LINES];
  let balance: bigint = statement.opening;

  pen.doc.addPage();
  writeTestMark(pen, statement, page);
  writeHeading(pen, statement);
  writeFooter(pen, statement, page, pages);
  const table = pen.structure.document.open('Table');
  const head = table.open('THead');
  y = writeHeader(pen, FIRST_TABLE_Y, statement, head);
  head.end();
  let rows = table.open('TBody');
  y = writeBalance(pen, y, { name: 'Opening balance', balance }, rows);

  async function* nextPage(): AsyncGenerator<Buffer> {
    page += 1;
    room = LATER_PAGE_LINES;
    rows.end();
    pen.structure.endPage();
    pen.doc.addPage();
    writeTestMark(pen, statement, page);
    writeLaterHeading(pen, statement);
    writeFooter(pen, statement, page, pages);
    y = writeHeader(pen, LATER_TABLE_Y, statement, undefined);
    y = writeBalance(pen, y, { name: 'Brought forward', balance }, undefined);
    rows = table.open('TBody');
    yield pen.takeOutput();
    await nextTurn();
  }

  for await (const lines of statement.pages) {
    for (const line of lines) {
      if (room === 0) yield* nextPage();
      y = writeLine(pen, y, line, rows);
      balance = line.balance;
      room -= 1;
    }
  }
  if (statement.count === 0) y = writeNothing(pen, y, rows);
  if (page < pages) yield* nextPage();
  const { debits, credits, closing } = statement;
  const after = writeBalance(pen, y, { name: 'Closing balance', balance: closing, debits, credits }, rows);
  rows.end();
  table.end();
  writeEnd(pen, after, statement);
  pen.structure.endPage();
  pen.structure.document.end();
  pen.doc.end();
  yield pen.takeOutput(); // in one piece: the table of where each object is has thousands of short lines
  for await (const rest of pen.doc) yield rest as Buffer;
}

function writeFooter(pen: Pen, { nuban, holder, code }: Statement, page: number, pages: number): void {
  pen.rule(FOOTER_Y - 8);
  const style = { size: 7, color: MUTED } as const;
  const number = { x: PAGE.width - PAGE.margin - 100, y: FOOTER_Y, width: 100 };
  pen.structure.artifact(() => {
    pen.text(`${code} · ${nuban} · ${holder}`, { x: PAGE.margin, y: FOOTER_Y, width: WIDTH - 100 }, style);
    pen.text(`Page ${page} of ${pages}`, number, { ...style, align: 'right' });
  });
}

/** In points. All lines have the same height, so that the number of pages is known before the first one is written. */
const LINE_HEIGHT = 24;

/** Lines that fit on the first page, under its heading, and on each later one. */
const FIRST_PAGE_LINES = 18;

const LATER_PAGE_LINES = 27;

/** The height of what stands after the last line, in lines: the closing balance, the code and the notes. */
const END_LINES = 6;

/** How many pages a statement of `lines` lines has. Closing balance and notes always stand on one page. */
export function pageCount(lines: number): number {
  const later = Math.max(0, Math.ceil((lines - FIRST_PAGE_LINES) / LATER_PAGE_LINES));
  const room = FIRST_PAGE_LINES + later * LATER_PAGE_LINES - lines;
  return 1 + later + (room < END_LINES ? 1 : 0);
}

const { margin } = PAGE;

const ALERT = '#a3211b';

/** Where the table begins on the first page and on each later one. */
const FIRST_TABLE_Y = 298;

const LATER_TABLE_Y = 86;

/** Writes the heading of the first page: holder, account, period and totals. */
function writeHeading(pen: Pen, statement: Statement): void {
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
function writeTestMark(pen: Pen, statement: Statement, page: number): void {
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
function writeLaterHeading(pen: Pen, statement: Statement): void {
  const { accent } = pen.brand.colours;
  const whose = `${statement.nuban} · ${periodText(statement)} · ${statement.holder}`;
  pen.structure.artifact(() => {
    pen.text(pen.brand.name, { x: margin, y: 40, width: 160 }, { font: 'bold', size: 12, color: accent });
    pen.text(whose, { x: margin + 170, y: 43, width: WIDTH - 170 }, { size: 8, color: MUTED, align: 'right' });
  });
  pen.rule(62, accent, 1);
}

const HEADER_HEIGHT = 18;

/** Of a row that shows a balance. */
const BALANCE_HEIGHT = 18;

/** Characters of a reference in the first of its two lines. */
const REFERENCE_LINE = 22;

const widths = { date: 56, description: 166, reference: 92, debit: 66, credit: 66, balance: 69.28 };

type Column = keyof typeof widths;

const names = Object.keys(widths) as Column[];

const TABLE_GAP = 6;

const columns = (() => {
  let x: number = PAGE.margin;
  const boxes = Object.entries(widths).map(([name, width]) => {
    const box = [name, { x: x + TABLE_GAP / 2, width: width - TABLE_GAP }] as const;
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
function writeHeader(pen: Pen, y: number, { currency }: Statement, rows: Element | undefined): number {
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
function writeBalance(
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
function writeLine(pen: Pen, y: number, line: Line, rows: Element): number {
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
function writeNothing(pen: Pen, y: number, rows: Element): number {
  const text = 'There were no transactions in this period.';
  writeCells(pen, rows, 'TD', {
    date: () => pen.text(text, { x: PAGE.margin + TABLE_GAP / 2, y: y + 7, width: WIDTH }, { size: 8, color: MUTED }),
  });
  pen.rule(y + LINE_HEIGHT - 0.5, RULE, 0.4);
  return y + LINE_HEIGHT;
}

const QR = 78;

const END_GAP = 12;

/** Writes what stands after the last line: how the paper is verified, what the figures mean, and who gives it out. */
function writeEnd(pen: Pen, top: number, statement: Statement): void {
  const { brand, issuedAt, code, verifyAt, verifyUrl } = statement;
  const { document } = pen.structure;
  const y = top + END_GAP;
  pen.structure.artifact(() => pen.qr(verifyUrl, { x: PAGE.margin - 4, y, size: QR }));
  const box = { x: PAGE.margin + QR + 4, width: WIDTH - QR - 4 };
  const help = supportText(brand);
  const notes = [
    'Times are West Africa Time (UTC+1). Debits and credits have their fees in them.',
    `Made electronically from the books of ${brand.name} on ${momentText(issuedAt)}; it needs no signature.`,
    [brand.name, brand.address, brand.licence].filter((part) => part !== undefined).join(' · '),
    ...(help === undefined ? [] : [`Questions about this statement: ${help}`]),
  ];
  document.add('P', () => {
    pen.text('Is this statement ours? ', { ...box, y: y + 6 }, { font: 'bold', size: 8 });
    const how = `Scan the code, or enter ${code} at ${verifyAt} `;
    pen.fittedText(how, { ...box, y: y + 17 }, { size: 7.5 });
    pen.text('What is shown there must be what stands here. ', { ...box, y: y + 27 }, { size: 7.5 });
  });
  notes.forEach((note, at) => {
    document.add('P', () => pen.text(note, { ...box, y: y + 42 + at * 10 }, { size: 7, color: MUTED }));
  });
}
