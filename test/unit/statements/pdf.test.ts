import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { asMinor } from '#modules/ledger';
import type { Statement } from '../../../src/modules/statements/statement.ts';
import { pageCount, writePdf } from '../../../src/modules/statements/write-pdf.ts';
import { zuma } from '../../support/brand/brand.ts';
import { readPdf, statementOf, written } from '../../support/statements.ts';

const moves = (count: number) => Array.from({ length: count }, (_, index) => ({ amount: BigInt(index + 1) * 100n }));
const pdfOf = async (statement: Parameters<typeof writePdf>[0]) => readPdf(await written(writePdf(statement)));

describe('the PDF', () => {
  it('shows holder, PayTag, account number, period, totals and each line in order, in ₦', async () => {
    const opening = asMinor(150_000n);
    const { pages, title, language, fonts } = await pdfOf(
      statementOf(
        [
          { amount: 250_050n, description: 'Credit from Acme Pay', comment: 'salary' },
          { amount: -100_000n, description: 'Transfer to @bola', fee: asMinor(1_000n) },
        ],
        { opening, holder: 'Ọláyẹmí Adébáyọ̀' },
      ),
    );
    expect(pages).toHaveLength(1);
    const [page = ''] = pages;
    for (const text of ['Ọláyẹmí Adébáyọ̀', '@ada', '9990000017', 'Acme Pay', '22 Oct 2026 to 21 Nov 2026']) {
      expect(page.normalize('NFC')).toContain(text.normalize('NFC'));
    }
    expect(page).toContain(
      'Opening balance ₦1,500.00 Total credits ₦2,500.50 Total debits ₦1,000.00 Closing balance ₦3,000.50',
    );
    expect(page).toMatch(/22 Oct 2026 00:00 Credit from Acme Pay salary ref-0- 2,500\.50 4,000\.50/);
    expect(page).toMatch(/00:01 Transfer to @bola incl\. fee 10\.00 ref-1- 1,000\.00 3,000\.50/);
    expect(page).toMatch(/Closing balance 1,000\.00 2,500\.50 3,000\.50/);
    expect(page).toContain('Page 1 of 1');
    expect(title).toBe('Statement of account 9990000017, 22 Oct 2026 to 21 Nov 2026, 14:05');
    expect(language).toBe('en-NG');
    expect(fonts.map((name) => name.replace(/^\w{6}\+/, '')).toSorted()).toEqual([
      'DejaVuSansCondensed',
      'DejaVuSansCondensed-Bold',
    ]);
  });

  it('of a time when nothing happened says so, and the balance', async () => {
    const { pages } = await pdfOf(statementOf([], { opening: asMinor(5n), closing: asMinor(5n) }));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('There were no transactions in this period.');
    expect(pages[0]).toContain('Closing balance ₦0.05');
  });

  it.each([16, 17, 19, 20, 43, 44, 46, 47, 120])(
    'of %i lines numbers its pages, repeats its header, and has every line once and in order',
    async (count) => {
      const { pages } = await pdfOf(statementOf(moves(count)));
      expect(pages).toHaveLength(pageCount(count));
      pages.forEach((page, index) => {
        expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
        expect(page).toContain('Date Description Reference Debit (₦) Credit (₦) Balance (₦)');
        expect(page).toContain(index === 0 ? 'Opening balance' : 'Brought forward');
      });
      const references = [...pages.join(' ').matchAll(/ref-(\d+)-/g)].map(([, number]) => Number(number));
      expect(references).toEqual(Array.from({ length: count }, (_, index) => index));
      expect(pages.at(-1)).toContain('it needs no signature');
    },
  );

  it('shows the largest balance there can be whole, and cuts what is long with an ellipsis', async () => {
    const amount = 999_999_999_999_999n;
    const [page = ''] = (
      await pdfOf(statementOf([{ amount, comment: `${'long '.repeat(99)}end`, reference: 'R'.repeat(100) }]))
    ).pages;
    expect(page.match(/(?<![\d,])9,999,999,999,999\.99/g)).toHaveLength(6);
    expect(page).toMatch(/long \w*…/);
    expect(page).not.toContain('end ');
  });

  it('has the longest names there can be within its margins, and who paid whole', async () => {
    const sender = 'CHUKWUEMEKA OLUWASEUN ADEBAYO-WILLIAMS';
    const { pages, right } = await pdfOf(
      statementOf([...moves(20), { amount: 1n, description: `Bank transfer from ${sender}`, comment: 'rent' }], {
        holder: 'Oluwatobiloba Chukwuemeka '.repeat(11),
        partner: 'The Longest Name of a Microfinance Bank '.repeat(5),
      }),
    );
    expect(right).toBeLessThanOrEqual(595.28 - 40 + 0.1);
    expect(pages[1]).toContain(`${sender} · rent`);
    for (const page of pages) expect(page.split('9990000017').length).toBeGreaterThan(2); // at its head and at its foot
    expect(pages[1]).toContain('22 Oct 2026 to 21 Nov 2026, 14:05');
  });

  it('is written for any text, with a box for characters that the font lacks', async () => {
    const comments = ['🎉 👩‍👩‍👧', '\u202Egnp.exe', 'مرحبا بك', '漢字', 'tab\tand\nline', '\u0000\u0007', '', 'ẹ́ ọ̀'];
    const [page = ''] = (await pdfOf(statementOf(comments.map((comment) => ({ amount: 1n, comment }))))).pages;
    expect(page).toContain('□□');
    expect(page).toContain('tab and line');
    expect(page).toContain('مرحبا بك'); // from right to left, the first word first
    expect([...page.matchAll(/ref-\d-/g)]).toHaveLength(comments.length);
  });

  it('shows the logo that is given for PDFs in place of the name, and the name where there is none', async () => {
    const pictureOf = async (brand: typeof zuma) => {
      const bytes = await written(writePdf(statementOf([], { brand })));
      return [bytes.includes('/Subtype /Image'), (await readPdf(bytes)).pages[0]?.includes(brand.name)];
    };
    expect(zuma.logo?.contentType).toBe('image/svg+xml');
    expect((await pictureOf(zuma))[0]).toBe(true);
    expect(await pictureOf({ ...zuma, pdfLogo: undefined })).toEqual([false, true]);
  });
});

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
  const stories = Array.from({ length: 50 }, (_, at) => ({
    amount: at % 2 === 0 ? 500n : -300n,
    comment: `story ${at}`,
  }));
  const { rows, others, untagged } = await heard(statementOf(stories, { opening: asMinor(100n) }));
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
    stories.map(({ comment }, at) => [`Transfer ${comment}`, `ref-${at}-`]),
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
