import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '#lib/domain-error.ts';
import { type BankFile, isProved } from '../../../src/modules/reconciliation/files/bank-file.ts';
import { type FileKind, readBankFile } from '../../../src/modules/reconciliation/files/read-bank-file.ts';
import { type FileLine, fileOf } from '../../support/bank-files.ts';
import { repetitions } from '../../support/cases.ts';

/** How a bank writes its CSV. */
interface Dialect {
  delimiter: ',' | ';' | '|' | '\t';
  decimalMark: '.' | ',';
  isGrouped: boolean;
  prefix: '' | 'N' | '#' | '₦' | 'NGN ';
  order: 'oldest' | 'newest' | 'newest day, oldest line';
  sides: 'debit and credit' | 'minus before debits' | 'one' | 'one, inverted' | 'CR and DR';
  balances: 'each' | 'day' | 'none';
  ends: 'rows' | 'preamble' | 'totals' | 'none';
  end: '\n' | '\r\n' | 'mixed';
}

const dialect: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '|', '\t'),
  decimalMark: fc.constantFrom('.', ','),
  isGrouped: fc.boolean(),
  prefix: fc.constantFrom('', 'N', '#', '₦', 'NGN '),
  order: fc.constantFrom('oldest', 'newest', 'newest day, oldest line'),
  sides: fc.constantFrom('debit and credit', 'minus before debits', 'one', 'one, inverted', 'CR and DR'),
  balances: fc.constantFrom('each', 'day', 'none'),
  ends: fc.constantFrom('rows', 'preamble', 'totals', 'none'),
  end: fc.constantFrom('\n', '\r\n', 'mixed'),
});

const OPENING = 500_000n;
const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

function csvOf(lines: readonly FileLine[], how: Dialect): { content: string; kind: FileKind } {
  const written = (amount: bigint): string => {
    const digits = String(abs(amount)).padStart(3, '0');
    const mark = how.decimalMark === '.' ? ',' : '.';
    const whole = how.isGrouped ? digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, mark) : digits.slice(0, -2);
    return `${amount < 0n ? '-' : ''}${how.prefix}${whole}${how.decimalMark}${digits.slice(-2)}`;
  };
  const cell = (text: string): string => (/[,;|\t"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const row = (...cells: string[]): string => cells.map(cell).join(how.delimiter);
  const isTwo = how.sides === 'debit and credit' || how.sides === 'minus before debits';
  const sidesOf = (amount: bigint): string[] => {
    switch (how.sides) {
      case 'debit and credit':
        return amount < 0n ? [written(-amount), ''] : ['', written(amount)];
      case 'minus before debits':
        return amount < 0n ? [written(amount), ''] : ['', written(amount)];
      case 'one':
        return [written(amount)];
      case 'one, inverted':
        return [written(-amount)];
      default:
        return [`${written(abs(amount))} ${amount < 0n ? 'DR' : 'CR'}`];
    }
  };
  const none = isTwo ? ['', ''] : [''];
  let balance = OPENING;
  const days = Map.groupBy(
    lines.map((line, at) => {
      balance += line.amount;
      const isStated = how.balances === 'each' || (how.balances === 'day' && lines[at + 1]?.day !== line.day);
      const [year, month, date] = line.day.split('-');
      return {
        day: line.day,
        text: row(
          `${date}/${month}/${year}`,
          line.narration ?? '',
          ...sidesOf(line.amount),
          isStated ? written(balance) : '',
        ),
      };
    }),
    ({ day }) => day,
  );
  const inOrder = [...days.values()].map((day) => day.map(({ text }) => text));
  const rows =
    how.order === 'oldest'
      ? inOrder.flat()
      : how.order === 'newest'
        ? inOrder.flat().toReversed()
        : inOrder.toReversed().flat();
  const credits = lines.reduce((sum, { amount }) => sum + (amount > 0n ? amount : 0n), 0n);
  const debits = lines.reduce((sum, { amount }) => sum + (amount < 0n ? -amount : 0n), 0n);
  const opening = row('', 'Opening Balance', ...none, written(OPENING));
  const closing = row('', 'Closing balance', ...none, written(balance));
  const total = row(
    '',
    'Total',
    ...(isTwo
      ? [written(debits), written(credits)]
      : [written(how.sides === 'one, inverted' ? debits - credits : credits - debits)]),
    '',
  );
  const [before, behind] = how.order === 'oldest' ? [opening, closing] : [closing, opening];
  const header = row('Date', 'Details', ...(isTwo ? ['Debit', 'Credit'] : ['Amount']), 'Balance');
  const all = [
    ...(how.ends === 'preamble'
      ? [row('Opening balance', written(OPENING)), row('Closing Balance:', written(balance))]
      : []),
    header,
    ...(how.ends === 'rows' ? [before, ...rows, behind] : rows),
    ...(how.ends === 'totals' ? [total] : []),
  ];
  const content = all
    .map((one, at) => `${one}${how.end === 'mixed' ? ['\n', '\r\n', '\r'][at % 3] : how.end}`)
    .join('');
  const kind: FileKind = {
    format: 'CSV',
    mapping: {
      date: 'Date',
      dateFormat: 'DD/MM/YYYY',
      ...(isTwo ? { debit: 'Debit', credit: 'Credit' } : { amount: 'Amount' }),
      isInverted: how.sides === 'one, inverted',
      narration: 'Details',
      balance: 'Balance',
      delimiter: how.delimiter,
      decimalMark: how.decimalMark,
      skipLines: how.ends === 'preamble' ? 2 : 0,
      hasHeader: true,
    },
  };
  return { content, kind };
}

const anyLine: fc.Arbitrary<FileLine> = fc.record({
  day: fc.constantFrom('2026-11-18', '2026-11-19', '2026-11-20'),
  amount: fc.bigInt({ min: -9_000_000n, max: 9_000_000n }).filter((amount) => amount !== 0n),
  reference: fc.constantFrom('NIP1', 'FT26-2', ''),
  narration: fc.constantFrom('rent', 'INVOICE 4,000.50', 'for "Bola"; & co', 'N/A', 'total', ''),
});
const anyLines = fc
  .array(anyLine, { minLength: 1, maxLength: 8 })
  .map((lines) => lines.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)));
const anyFile = fc
  .tuple(anyLines, fc.option(dialect, { freq: 6 }), fc.constantFrom('CAMT.053', 'MT940'))
  .map(([lines, how, format]) => ({
    lines,
    how,
    ...(how === null
      ? { content: fileOf[format](lines.map((line) => ({ ...line, narration: 'rent' }))), kind: { format } }
      : csvOf(lines, how)),
  }));

/** What is read; undefined where it is refused. What else is thrown fails the test. */
async function read(content: string, kind: FileKind): Promise<BankFile | undefined> {
  try {
    return await readBankFile(content, kind);
  } catch (error) {
    if (error instanceof DomainError && ['BANK_FILE_UNREADABLE', 'BANK_FILE_DOES_NOT_TIE'].includes(error.code))
      return undefined;
    throw error;
  }
}

const sorted = (amounts: readonly bigint[]): bigint[] => amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const amountsOf = (lines: readonly { amount: bigint }[]): bigint[] => sorted(lines.map(({ amount }) => amount));

type Mutation = (content: string, at: number, delimiter: string) => string;
const rowsOf = (content: string): string[] => content.split(/(?<=\n|\r(?!\n))/);
const inRow =
  (change: (row: string, delimiter: string) => string[]): Mutation =>
  (content, at, delimiter) => {
    const rows = rowsOf(content);
    const which = Math.floor(at * rows.length);
    // What a header calls the columns nothing in the file says again.
    const isChanged = (row: string, index: number): boolean => index === which && !row.startsWith('Date');
    return rows.flatMap((row, index) => (isChanged(row, index) ? change(row, delimiter) : [row])).join('');
  };
const mutations: Record<string, Mutation> = {
  'a byte is lost': (content, at) => {
    const where = Math.floor(at * content.length);
    return content.slice(0, where) + content.slice(where + 1);
  },
  'a line is lost': inRow(() => []),
  'a line stands there twice': inRow((row) => [row, row]),
  'a field is lost': inRow((row, delimiter) => [row.split(delimiter).toSpliced(2, 1).join(delimiter)]),
  'two fields change places': inRow((row, delimiter) => {
    const fields = row.split(delimiter);
    const [two = '', three = ''] = [fields[2], fields[3]];
    return [fields.length > 4 ? fields.with(2, three).with(3, two).join(delimiter) : row];
  }),
  'a sign is lost': inRow((row) => [row.replace('-', '')]),
  'a sign is put': inRow((row) => [row.replace(/(?<![\d/.,-])(\d{1,3}(?:[.,]\d+)+)/, '-$1')]),
  'a direction turns': inRow((row) => [
    row.replace(
      /CRDT|DBIT|(?<=\d)[CD](?=\d)| CR| DR/,
      (was) => ({ CRDT: 'DBIT', DBIT: 'CRDT', C: 'D', D: 'C', ' CR': ' DR' })[was] ?? ' CR',
    ),
  ]),
  'it is cut': (content, at) => content.slice(0, Math.floor(at * content.length)),
};

describe('a bank’s file', () => {
  it('of any dialect is read as it was written, and proved where it proves itself', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, async ({ lines, how, content, kind }) => {
        // A minus before what left, and nothing that says that it means this.
        const isUnsure =
          how?.sides === 'minus before debits' && how.ends === 'none' && lines.some(({ amount }) => amount < 0n);
        const file = await read(content, kind);
        if (isUnsure && file === undefined) return;
        expect(file?.lines.length).toBe(lines.length);
        expect(amountsOf(file?.lines ?? [])).toEqual(amountsOf(lines));
        const provesItself = how === null || how.ends !== 'none';
        expect(isProved(file?.provedBy ?? [])).toBe(provesItself);
        expect(file?.provedBy.includes('BALANCES')).toBe(how !== null && how.balances !== 'none');
      }),
      { numRuns: repetitions({ short: 100, soak: 2000 }) },
    );
  });

  it.each(Object.keys(mutations))(
    'whose balances go on from a known one holds no amount that it did not hold, once %s',
    async (name) => {
      const goesOn = anyFile.filter(({ how }) => how !== null && how.ends === 'none' && how.balances !== 'none');
      await fc.assert(
        fc.asyncProperty(goesOn, fc.double({ min: 0, max: 0.999_999, noNaN: true }), async (given, at) => {
          const { lines, how, content, kind } = given;
          const file = await read((mutations[name] as Mutation)(content, at, how?.delimiter ?? ','), kind);
          if (file?.provedBy.includes('BALANCES') !== true || file.opening !== OPENING) return;
          const written = amountsOf(lines);
          for (const amount of amountsOf(file.lines)) {
            expect(written).toContain(amount);
            written.splice(written.indexOf(amount), 1);
          }
        }),
        { numRuns: 150 },
      );
    },
  );

  it.each(Object.keys(mutations))('that proves itself is refused or unproved once %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(anyFile, fc.double({ min: 0, max: 0.999_999, noNaN: true }), async (given, at) => {
        const { lines, content, kind } = given;
        const delimiter = given.how?.delimiter ?? ',';
        const file = await read((mutations[name] as Mutation)(content, at, delimiter), kind);
        if (file === undefined || !isProved(file.provedBy)) return;
        expect(amountsOf(file.lines)).toEqual(amountsOf(lines));
      }),
      { numRuns: repetitions({ short: 60, soak: 1000 }) },
    );
  });
});
