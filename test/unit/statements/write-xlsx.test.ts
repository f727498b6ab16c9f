import readSheets from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { asMinor } from '#modules/ledger';
import { writeXlsx } from '../../../src/modules/statements/write-xlsx.ts';
import { statementOf, written } from '../../support/statements.ts';

/** A spreadsheet keeps a moment as a fraction of a day. */
const toTheSecond = (value: unknown) =>
  value instanceof Date ? new Date(Math.round(value.getTime() / 1000) * 1000) : value;

/** A workbook as another library reads it: facts by their names, and the rows from the opening balance on. */
async function read(statement: Parameters<typeof writeXlsx>[0]) {
  const sheets = await readSheets(await written(writeXlsx(statement)));
  const [header = [], ...all] = (sheets[0]?.data ?? []).map((row) => row.map(toTheSecond));
  const opening = all.findIndex((row) => row[1] === 'Opening balance');
  const facts = Object.fromEntries(all.slice(0, opening).map((row) => [row[1], row[2]]));
  return { names: sheets.map(({ sheet }) => sheet), header, facts, rows: all.slice(opening) };
}

it('opens in another reader, with the rows of the CSV: amounts are numbers, dates are dates in Lagos', async () => {
  const { names, header, facts, rows } = await read(
    statementOf(
      [
        { amount: 250_050n, description: 'Credit from Acme Pay', comment: 'salary' },
        { amount: -100_010n, fee: asMinor(1_000n) },
      ],
      { opening: asMinor(1n), testing: 'sandbox' },
    ),
  );
  expect(names).toEqual(['Statement']);
  expect(header.slice(0, 3)).toEqual(['Date', 'Description', 'Comment']);
  expect(facts).toMatchObject({
    Test: 'TEST: made in a sandbox, where no money is real',
    'Account holder': 'Ada Obi',
    PayTag: 'ada',
    'Account number': '9990000017',
    'Held with': 'Acme Pay',
    'Verification code': '7K3M-9QXT-04WE-B2ZC-H5NA',
  });
  const midnight = new Date('2026-10-22T00:00:00Z'); // a spreadsheet has no zones: this is what its clock shows
  const minuteLater = new Date('2026-10-22T00:01:00Z');
  expect(rows).toEqual([
    [midnight, 'Opening balance', null, null, null, 'NGN', null, null, null, 0.01],
    [midnight, 'Credit from Acme Pay', 'salary', 'ref-0-', null, 'NGN', null, 2_500.5, 0, 2_500.51],
    [minuteLater, 'Transfer', null, 'ref-1-', null, 'NGN', 1_000.1, null, 10, 1_500.41],
    [new Date('2026-11-21T14:05:00Z'), 'Closing balance', null, null, null, 'NGN', null, null, null, 1_500.41],
  ]);
});

it('has the largest amount exactly', async () => {
  const { rows } = await read(statementOf([{ amount: 999_999_999_999_999n }]));
  expect(rows.map((row) => row.at(-1))).toEqual([0, 9_999_999_999_999.99, 9_999_999_999_999.99]);
});

it('gives a spreadsheet no formula to run, and has any text whole but for what XML cannot say', async () => {
  const comments = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '<b>&amp;</b>',
    'a\u0000b\u0007',
    '\uD800',
    'Ọjọ́ ₦500 🎉',
    '_x0041_',
  ];
  const statement = () => statementOf(comments.map((comment) => ({ amount: 1n, comment, reference: '=cmd()' })));
  const { rows } = await read(statement());
  expect(rows.slice(1, -1).map((row) => row[2])).toEqual([
    ...comments.slice(0, 5),
    'ab',
    '\uFFFD',
    'Ọjọ́ ₦500 🎉',
    '_x0041_',
  ]);
  expect(rows[1]?.[3]).toBe('=cmd()');
});
