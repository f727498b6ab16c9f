import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import readSheets from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { asMinor } from '#modules/ledger';
import { periodText } from '../../../src/modules/statements/display-text.ts';
import { readLink, readPeriod, signLink } from '../../../src/modules/statements/link.ts';
import { writeCsv } from '../../../src/modules/statements/write-csv.ts';
import { writeHtml } from '../../../src/modules/statements/write-html.ts';
import { writeXlsx } from '../../../src/modules/statements/write-xlsx.ts';
import { zuma } from '../../support/brand/brand.ts';
import { listed, repetitions } from '../../support/cases.ts';
import { statementOf, written } from '../../support/statements.ts';
import { anyText } from '../../support/texts.ts';

/** Half past midnight of 21 November in Lagos, while it is still the 20th in London. */
const MIDNIGHT = new Date('2026-11-20T23:30:00Z');
const periodOf = (from?: string, to?: string) => {
  const period = readPeriod({ from, to }, { now: MIDNIGHT, movedAt: null });
  return [period.from.toISOString(), period.to.toISOString()];
};

describe('a period', () => {
  it('is from the day thirty days before today in Lagos until now, where nothing is said', () => {
    expect(periodOf()).toEqual(['2026-10-21T23:00:00.000Z', MIDNIGHT.toISOString()]);
  });

  it('has its last day whole, but today only until now', () => {
    expect(periodOf('2026-11-01', '2026-11-01')).toEqual(['2026-10-31T23:00:00.000Z', '2026-11-01T23:00:00.000Z']);
    expect(periodOf('2026-11-21', '2026-11-21')).toEqual(['2026-11-20T23:00:00.000Z', MIDNIGHT.toISOString()]);
  });

  it('takes moments to the millisecond, in any zone', () => {
    expect(periodOf('2026-11-01T10:00:00.250+01:00', '2026-11-01T09:00:01Z')).toEqual([
      '2026-11-01T09:00:00.250Z',
      '2026-11-01T09:00:01.000Z',
    ]);
  });

  it('begins thirty days before the end that was named, and ends now where none was', () => {
    expect(periodOf(undefined, '2026-05-31')).toEqual(['2026-05-01T23:00:00.000Z', '2026-05-31T23:00:00.000Z']);
    expect(periodOf('2026-11-20')).toEqual(['2026-11-19T23:00:00.000Z', MIDNIGHT.toISOString()]);
  });

  it('is 366 days long at most', () => {
    expect(periodOf('2025-11-21', '2026-11-20')).toHaveLength(2);
    expect(periodOf('2024-01-01', '2024-12-31')).toHaveLength(2);
  });

  it.each([
    ['2026-11-02', '2026-11-01', 'must be after from'],
    ['2026-11-01T10:00:00Z', '2026-11-01T10:00:00Z', 'must be after from'],
    ['2026-11-22', undefined, 'from: must not be in the future'],
    ['2026-11-01', '2026-11-22', 'to: must not be in the future'],
    ['2026-11-01', '2026-11-20T23:30:00.001Z', 'to: must not be in the future'],
    ['0000-01-01', '0000-02-01', 'must not be before 2000'],
    ['1999-12-31', '2000-01-02', 'must not be before 2000'],
    ['2025-01-01', '2026-01-02', 'at most 366 days'],
    ['2025-01-01', undefined, 'at most 366 days'],
  ])('is refused from %s to %s: %s', (from, to, why) => {
    expect(() => periodOf(from, to)).toThrow(why);
  });
});

it.each([
  ['2026-10-21T23:00:00Z', '2026-11-20T23:00:00Z', '22 Oct 2026 to 20 Nov 2026'],
  ['2026-10-21T23:00:00Z', '2026-11-21T13:05:00Z', '22 Oct 2026 to 21 Nov 2026, 14:05'],
  ['2025-12-31T22:30:00Z', '2025-12-31T23:00:00Z', '31 Dec 2025, 23:30 to 31 Dec 2025'],
  ['2025-12-30T23:00:00Z', '2026-01-01T23:00:00Z', '31 Dec 2025 to 01 Jan 2026'],
])('a period from %s until just before %s is “%s”: whole days as days, others with their times', (from, to, text) => {
  expect(periodText({ from: new Date(from), to: new Date(to) })).toBe(text);
});

const keyring = createKeyring(Buffer.alloc(32, 1));
const NOW = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const origin = { session: randomUUID() };
const asked = { wallet: 'PW-0123456789abcdef', from: later(-90_000), to: NOW, format: 'csv', origin } as const;
const tokenOf = (ring = keyring) =>
  signLink({ keyring: ring, publicUrl: 'https://pay.example.com' }, asked, later(60_000)).replace(
    'https://pay.example.com/statements/',
    '',
  );

it('says again what it was made of, until the moment it expires', () => {
  expect(readLink(keyring, tokenOf(), NOW)).toEqual(asked);
  expect(readLink(keyring, tokenOf(), later(59_999))).toEqual(asked);
  expect(() => readLink(keyring, tokenOf(), later(60_000))).toThrow(
    expect.objectContaining({ code: 'STATEMENT_LINK_EXPIRED' }),
  );
});

const notFound = expect.objectContaining({ code: 'STATEMENT_NOT_FOUND' });

it('is nothing when another key made it, or it was changed anywhere', () => {
  const token = tokenOf();
  expect(() => readLink(keyring, tokenOf(createKeyring(Buffer.alloc(32, 2))), NOW)).toThrow(notFound);
  for (let at = 0; at < token.length - 1; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect(() => readLink(keyring, changed, NOW)).toThrow(notFound);
  }
  const forged = Buffer.from(JSON.stringify(['PW-1', 0, 1, 'pdf', later(1e9).getTime()])).toString('base64url');
  expect(() => readLink(keyring, `${forged}.${token.split('.')[1]}`, NOW)).toThrow(notFound);
});

it('anything else sent as a token is not found', () => {
  const junk = fc.oneof(anyText(), fc.base64String(), fc.constantFrom('', '.', '..', 'a.b'));
  fc.assert(
    fc.property(junk, (token) => {
      expect(() => readLink(keyring, token, NOW)).toThrow(notFound);
    }),
  );
});

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
      comment: anyText(),
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
  expect(header).toEqual(
    listed`
    Date | Description | Comment | Reference | External reference | Currency | Debit | Credit | Fee included
    Balance
  `,
  );
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

/** A spreadsheet keeps a moment as a fraction of a day. */
const toTheSecond = (value: unknown) =>
  value instanceof Date ? new Date(Math.round(value.getTime() / 1000) * 1000) : value;

/** A workbook as another library reads it: facts by their names, and the rows from the opening balance on. */
async function xlsxOf(statement: Parameters<typeof writeXlsx>[0]) {
  const sheets = await readSheets(await written(writeXlsx(statement)));
  const [header = [], ...all] = (sheets[0]?.data ?? []).map((row) => row.map(toTheSecond));
  const opening = all.findIndex((row) => row[1] === 'Opening balance');
  const facts = Object.fromEntries(all.slice(0, opening).map((row) => [row[1], row[2]]));
  return { names: sheets.map(({ sheet }) => sheet), header, facts, rows: all.slice(opening) };
}

it('opens in another reader, with the rows of the CSV: amounts are numbers, dates are dates in Lagos', async () => {
  const { names, header, facts, rows } = await xlsxOf(
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
  const { rows } = await xlsxOf(statementOf([{ amount: 999_999_999_999_999n }]));
  expect(rows.map((row) => row.at(-1))).toEqual([0, 9_999_999_999_999.99, 9_999_999_999_999.99]);
});

it('gives a spreadsheet no formula to run, and has any text whole but for what XML cannot say', async () => {
  const comments = [
    ...listed`=1+1 | +1 | -1 | @SUM(A1) | <b>&amp;</b>`,
    'a\u0000b\u0007',
    '\uD800',
    ...listed`Ọjọ́ ₦500 🎉 | _x0041_`,
  ];
  const statement = () => statementOf(comments.map((comment) => ({ amount: 1n, comment, reference: '=cmd()' })));
  const { rows } = await xlsxOf(statement());
  expect(rows.slice(1, -1).map((row) => row[2])).toEqual([
    ...comments.slice(0, 5),
    'ab',
    '\uFFFD',
    'Ọjọ́ ₦500 🎉',
    '_x0041_',
  ]);
  expect(rows[1]?.[3]).toBe('=cmd()');
});

const htmlOf = async (statement: Parameters<typeof writeHtml>[0]) => (await written(writeHtml(statement))).toString();

it('escapes all text, and has no script and nothing to load', async () => {
  const evil = `<img src=x onerror=alert(1)>"'&</style><script>`;
  const html = await htmlOf(
    statementOf([{ amount: 1n, comment: evil, reference: evil, description: evil }], { holder: evil, partner: evil }),
  );
  const safe = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;/style&gt;&lt;script&gt;';
  expect(html.split(safe)).toHaveLength(7);
  expect(html).not.toMatch(/<script|<img|<link|\ssrc="|\son\w+="|url\(/i);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
});

it('shows the totals and each line, and prints its header on every page', async () => {
  const html = await htmlOf(statementOf([{ amount: 123_456_789n }, { amount: -100n }], { opening: asMinor(1n) }));
  const texts = listed`<html lang="en-NG"> | ₦0.01 | ₦1,234,567.89 | ₦1.00 | ₦1,234,566.90 | <h2>Ada Obi</h2> | @ada`;
  expect(texts.filter((text) => !html.includes(text))).toEqual([]);
  expect(html.match(/ref-\d-/g)).toEqual(['ref-0-', 'ref-1-']);
  expect(html).toContain('thead { display: table-header-group; }');
  expect(html).toContain('content="noindex, nofollow"');
});

it('of a time when nothing happened says so', async () => {
  expect(await htmlOf(statementOf([]))).toContain('There were no transactions in this period.');
});
