import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { asMinor } from '#modules/ledger';
import type { Statement } from '../../../src/modules/statements/statement.ts';
import { writePdf } from '../../../src/modules/statements/write-pdf.ts';
import { statementOf, written } from '../../support/statements.ts';

interface Node {
  role?: string;
  id?: string;
  children?: Node[];
}
interface Item {
  type?: string;
  id?: string;
  tag?: string;
  str?: string;
}

/** A row as its cells are read out; of another element its role and its text. */
interface Heard {
  rows: string[][];
  others: [role: string, text: string][];
  /** Text that belongs to no element, and is not said to be for the eye alone. */
  untagged: string;
}

/** What a screen reader makes of a document. */
async function heard(statement: Statement): Promise<Heard> {
  const task = getDocument({ data: new Uint8Array(await written(writePdf(statement))), verbosity: 0 });
  const document = await task.promise;
  const marks = (await document.getMarkInfo()) as unknown as Map<string, boolean>;
  expect(marks.get('Marked')).toBe(true);
  const found: Heard = { rows: [], others: [], untagged: '' };
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    const texts = textsOf(items);
    found.untagged += texts.get(undefined) ?? '';
    collect(await page.getStructTree(), texts, found);
  }
  await task.destroy();
  return found;
}

/** The text of each piece of marked content by its id; what is for the eye alone is left out. */
function textsOf(items: readonly Item[]): Map<string | undefined, string> {
  const texts = new Map<string | undefined, string>();
  const open: Item[] = [];
  for (const item of items) {
    if (item.type === 'endMarkedContent') open.pop();
    else if (item.type !== undefined) open.push(item);
    else if (open.at(-1)?.tag !== 'Artifact') {
      const id = open.at(-1)?.id;
      texts.set(id, `${texts.get(id) ?? ''} ${item.str ?? ''}`);
    }
  }
  return texts;
}

function collect(node: Node, texts: Map<string | undefined, string>, found: Heard): void {
  const { role = '', children = [] } = node;
  const cells = children.map((cell) => textOf(cell, texts));
  const isHere = cells.some((text) => text !== ''); // pdf.js shows each page the table with all its rows
  if (role === 'TR' && isHere) found.rows.push(cells);
  else if ((role === 'P' || role === 'H1') && isHere) found.others.push([role, textOf(node, texts)]);
  else for (const child of children) collect(child, texts, found);
}

const textOf = ({ id, children = [] }: Node, texts: Map<string | undefined, string>): string =>
  id === undefined
    ? children.map((child) => textOf(child, texts)).join('')
    : (texts.get(id) ?? '').replace(/\s+/g, ' ').trim();

it('is read out in order: title, holder, totals, and a table with six cells in every row', async () => {
  const moves = Array.from({ length: 50 }, (_, at) => ({
    amount: at % 2 === 0 ? 500n : -300n,
    comment: `story ${at}`,
  }));
  const { rows, others, untagged } = await heard(statementOf(moves, { opening: asMinor(100n) }));
  expect(untagged.trim()).toBe('');
  expect(others.slice(0, 5)).toEqual([
    ['H1', 'Statement of account'],
    ['P', 'PayTag'],
    ['P', '22 Oct 2026 to 21 Nov 2026, 14:05'],
    ['P', 'Ada Obi'],
    ['P', '@ada'],
  ]);
  const texts = others.map(([, text]) => text);
  for (const fact of ['Account number 9990000017', 'Opening balance ₦1.00', 'Total debits ₦75.00']) {
    expect(texts).toContain(fact);
  }
  expect(texts.slice(-4).join(' ')).toMatch(
    /^Is this statement ours\? .* enter 7K3M-9QXT.* it needs no signature\. PayTag$/,
  );
  expect(rows[0]).toEqual(['Date', 'Description', 'Reference', 'Debit (₦)', 'Credit (₦)', 'Balance (₦)']);
  expect(rows[1]).toEqual(['Opening balance', '', '', '', '', '1.00']);
  expect(rows.slice(2, -1).map(([, description, reference]) => [description, reference])).toEqual(
    moves.map(({ comment }, at) => [`Transfer ${comment}`, `ref-${at}-`]),
  );
  expect(rows[3]).toEqual(['22 Oct 2026 00:01', 'Transfer story 1', 'ref-1-', '3.00', '', '3.00']);
  expect(rows.at(-1)).toEqual(['Closing balance', '', '', '75.00', '125.00', '51.00']);
});

it('of a time when nothing happened is read out so', async () => {
  const { rows } = await heard(statementOf([]));
  expect(rows.map(([first]) => first)).toEqual([
    'Date',
    'Opening balance',
    'There were no transactions in this period.',
    'Closing balance',
  ]);
});
