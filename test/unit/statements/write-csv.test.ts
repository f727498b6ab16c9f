import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asMinor } from '#modules/ledger';
import { writeCsv } from '../../../src/modules/statements/write-csv.ts';
import { zuma } from '../../support/brand/brand.ts';
import { repetitions } from '../../support/repetitions.ts';
import { statementOf, written } from '../../support/statements.ts';

/** RFC 4180, read as it is written there. */
function parse(text: string): string[][] {
  const records: string[][] = [[]];
  const fields = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  for (const [, field = '', end] of text.matchAll(fields)) {
    records.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === '\r\n') records.push([]);
  }
  return records.slice(0, -1);
}

const csvOf = async (statement: Parameters<typeof writeCsv>[0]) => {
  const text = (await written(writeCsv(statement))).toString();
  expect(text.startsWith('\uFEFF')).toBe(true);
  const [header = [], ...records] = parse(text.slice(1));
  const all = records.map((record) => Object.fromEntries(header.map((name, at) => [name, record[at] ?? ''])));
  const opening = all.findIndex((row) => row['Description'] === 'Opening balance');
  const facts = all.slice(0, opening).map((row) => [row['Description'], row['Comment']]);
  return { header, facts, rows: all.slice(opening), widths: new Set(records.map(({ length }) => length)) };
};

const kobo = (text: string | undefined): bigint => BigInt((text ?? '').replace('.', '') || '0');

it('any history ties: opening, the sums and every running balance give the closing balance', async () => {
  const history = fc.array(
    fc.record({
      amount: fc.bigInt({ min: 1n, max: 10n ** 14n }),
      isDebit: fc.boolean(),
      comment: fc.string({ unit: 'binary' }),
    }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(history, fc.bigInt({ min: 0n, max: 10n ** 14n }), async (moved, opening) => {
      let balance = opening;
      const moves = moved.map(({ amount, isDebit, comment }) => {
        const signed = isDebit && amount <= balance ? -amount : amount;
        balance += signed;
        return { amount: signed, comment };
      });
      const { rows } = await csvOf(statementOf(moves, { opening: asMinor(opening) }));
      expect(rows).toHaveLength(moves.length + 2);
      let running = kobo(rows[0]?.['Balance']);
      for (const row of rows.slice(1)) {
        running += kobo(row['Credit']) - kobo(row['Debit']);
        expect(kobo(row['Balance'])).toBe(running);
      }
      expect(running).toBe(balance);
    }),
    { numRuns: repetitions({ short: 15, soak: 400 }) },
  );
});

it('has the texts whole, in UTF-8, and gives a spreadsheet no formula to run', async () => {
  const comments = ['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '＝1', 'a "quoted", text\nof two lines', 'Ọjọ́ ₦500 🎉'];
  const { header, rows } = await csvOf(
    statementOf(comments.map((comment) => ({ amount: 100n, comment, reference: '=cmd' }))),
  );
  expect(header).toEqual([
    'Date',
    'Description',
    'Comment',
    'Reference',
    'External reference',
    'Currency',
    'Debit',
    'Credit',
    'Fee included',
    'Balance',
  ]);
  const lines = rows.slice(1, -1);
  expect(lines.map((row) => row['Comment'])).toEqual(comments.map((text, at) => (at < 6 ? `'${text}` : text)));
  expect(lines[0]).toMatchObject({
    Date: '2026-10-22T00:00:00+01:00',
    Reference: "'=cmd",
    Currency: 'NGN',
    Credit: '1.00',
    Debit: '',
  });
});

it('keeps a text in its column also where a spreadsheet takes a semicolon or a tab for the end of one', async () => {
  const text = (await written(writeCsv(statementOf([{ amount: 1n, comment: 'rent; flat\t3' }])))).toString();
  expect(text).toContain(',"rent; flat\t3",');
});

it('begins with whose it is and how it is verified, a fact in a row of the same columns as all others', async () => {
  const { header, facts, widths } = await csvOf(
    statementOf([{ amount: 1n }], { address: '12 Adeola Odeku Street, Lagos', testing: 'staging', brand: zuma }),
  );
  expect(facts).toEqual([
    ['Test', 'TEST: made in staging, where no money is real'],
    ['Institution', 'Zuma Microfinance Bank · 1 Marina, Lagos · Licensed by the Central Bank of Nigeria'],
    ['Questions', 'help@zuma.example or +234 700 000 9862'],
    ['Account holder', 'Ada Obi'],
    ['PayTag', 'ada'],
    ['Address', '12 Adeola Odeku Street, Lagos'],
    ['Account number', '9990000017'],
    ['Held with', 'Acme Pay'],
    ['Currency', 'Nigerian naira (NGN, ₦)'],
    ['Period', '22 Oct 2026 to 21 Nov 2026, 14:05'],
    ['Issued', '21 Nov 2026, 14:05'],
    ['Verification code', '7K3M-9QXT-04WE-B2ZC-H5NA'],
    ['Verify at', 'https://pay.example.com/statement/verify'],
  ]);
  expect(widths).toEqual(new Set([header.length]));
});
