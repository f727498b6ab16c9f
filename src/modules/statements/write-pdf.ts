import { setImmediate as nextTurn } from 'node:timers/promises';
import { currencyNames, periodText } from './format.ts';
import { writeEnd } from './pdf/end.ts';
import { FIRST_TABLE_Y, LATER_TABLE_Y, writeHeading, writeLaterHeading, writeTestMark } from './pdf/heading.ts';
import { FIRST_PAGE_LINES, LATER_PAGE_LINES, pageCount } from './pdf/page-plan.ts';
import { MUTED, newPen, PAGE, type Pen, WIDTH } from './pdf/pen.ts';
import { writeBalance, writeHeader, writeLine, writeNothing } from './pdf/table.ts';
import type { Statement } from './statement.ts';

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
