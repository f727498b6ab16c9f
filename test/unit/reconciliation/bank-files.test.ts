import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DomainError } from '#lib/domain-error.ts';
import {
  type FileKind,
  otherCharsets,
  readBankFile,
  textOf,
} from '../../../src/modules/reconciliation/files/read-bank-file.ts';
import { match, namedIn } from '../../../src/modules/reconciliation/match.ts';
import { type FileLine, type Format, fileOf, MAPPING } from '../../support/bank-files.ts';
import { repetitions } from '../../support/cases.ts';
import { anyText } from '../../support/texts.ts';

const formats = Object.keys(fileOf) as Format[];
const CSV = { isInverted: false, delimiter: ',', decimalMark: '.', skipLines: 0, hasHeader: true } as const;
const kindOf = (format: Format): FileKind =>
  format === 'CSV' ? { format, mapping: { ...MAPPING, ...CSV } } : { format };
const REFUSALS = ['BANK_FILE_UNREADABLE', 'BANK_FILE_DOES_NOT_TIE'];

/** What is read of a file, or the code that it is refused with. Whatever else is thrown fails the test. */
async function read(content: string, format: Format): Promise<unknown> {
  try {
    return (await readBankFile(content, kindOf(format))).lines;
  } catch (error) {
    if (error instanceof DomainError && REFUSALS.includes(error.code)) return error.message;
    throw error;
  }
}

/** The text of bytes, or the code that they are refused with. */
function decoded(bytes: Uint8Array, charset: Parameters<typeof textOf>[1]): string {
  try {
    return textOf(bytes, charset);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

const anyLine: fc.Arbitrary<FileLine> = fc.record({
  day: fc
    .integer({ min: 0, max: 36_000 })
    .map((days) => new Date(Date.UTC(2000, 0, 1) + days * 86_400_000).toISOString().slice(0, 10)),
  amount: fc.bigInt({ min: -10_000_000n, max: 10_000_000n }).filter((amount) => amount !== 0n),
  reference: fc.stringMatching(/^[A-Z]{3}[0-9]{4,10}$/),
  // One letter and another may be what a balance is called.
  narration: fc.stringMatching(/^[A-Za-z]{2,9}( [A-Za-z]{1,9}){0,3}$/),
});
const anyFile = fc.tuple(fc.constantFrom(...formats), fc.array(anyLine, { minLength: 1, maxLength: 12 }));

describe('a bank’s file', () => {
  it('says what is read of it, to the kobo, in every format', async () => {
    const property = fc.asyncProperty(anyFile, async ([format, lines]) => {
      const told = await read(fileOf[format](lines), format);
      expect(told).toMatchObject(lines.map(({ day, amount, reference }) => ({ day, amount, reference })));
    });
    await fc.assert(property, { numRuns: repetitions({ short: 60, soak: 1000 }) });
  });

  it('that was cut, spoiled or mixed with something else is read or refused, and never fails otherwise', async () => {
    const pieces = fc.constantFrom(
      '<',
      '&#0;',
      '&#xD800;',
      '"',
      ':61:',
      ':62F:D',
      '1e400',
      '-',
      '٣',
      '\u0000',
      '𝟙',
      '{4:',
    );
    const junk = fc.oneof(anyText({ maxLength: 12 }), pieces);
    const property = fc.asyncProperty(
      anyFile,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(30),
      junk,
      async ([format, lines], at, cut, put) => {
        const whole = fileOf[format](lines);
        const from = Math.floor(at * whole.length);
        const spoiled = await read(whole.slice(0, from) + put + whole.slice(from + cut), format);
        const cutShort = await read(whole.slice(0, from), format);
        for (const told of [spoiled, cutShort]) expect(Array.isArray(told) || typeof told === 'string').toBe(true);
      },
    );
    await fc.assert(property, { numRuns: repetitions({ short: 60, soak: 1000 }) });
  });

  it('that is none is refused', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...formats), anyText(), async (format, text) => {
      expect(await read(text, format)).toBeTypeOf('string');
    });
    await fc.assert(property, { numRuns: repetitions({ short: 100, soak: 1000 }) });
  });

  it.each(['CAMT.053', 'MT940'] as const)('%s whose closing balance is another one does not tie', async (format) => {
    const lines = [{ day: '2026-11-20', amount: 100n, reference: 'NIP1' }];
    const whole = fileOf[format](lines);
    const closing = format === 'MT940' ? '10000001,00' : '10000001.00';
    expect(await read(whole.replace(closing, closing.replace('1', '2')), format)).toContain('closing balance: ');
  });

  it.each([
    ['CAMT.053', '<a>'.repeat(100_000), 'nested too deeply'],
    ['CAMT.053', `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1_000)}">]><a>&b;</a>`, 'a document type is not taken'],
    [
      'CAMT.053',
      '<Stmt><Id>1</Id><Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">1E9</Amt></Bal></Stmt>',
      'not an amount',
    ],
    ['CAMT.053', `<Stmt><Id>1</Id><Ntry><Amt Ccy="NGN">${'9'.repeat(100_000)}</Amt></Ntry></Stmt>`, 'not an amount'],
    ['CAMT.053', '<Stmt><Id>1</Id><Ntry><Amt Ccy="USD">1</Amt></Ntry></Stmt>', 'the currency is USD'],
    ['MT940', `:20:A\n:60F:C261120NGN${'9'.repeat(100_000)},00`, 'not an amount'],
    ['MT940', ':20:A\n:61:2611201120C1.000,00NTRFX', 'not an amount'],
    ['MT940', `:20:A\n:61:${'1'.repeat(1_000_000)}`, 'not a statement line'],
    ['MT940', ':61:2611201120C1,00NTRFX', 'has no opening balance'],
    ['CSV', `Date,Ref,Details,Debit,Credit,Balance\n"${'x'.repeat(200_000)}`, 'not CSV'],
    ['CSV', `Date,Ref,Details,Debit,Credit,Balance\n20/11/2026,R,,,${'9'.repeat(40)},1`, 'line 2, credit: '],
  ] as const)('of %s, with what no bank writes, is refused in a word: %#', async (format, content, why) => {
    expect(await read(content, format)).toContain(why);
  });

  it('of bytes in another encoding is refused, or read as it says', () => {
    const charset = fc.constantFrom(undefined, ...otherCharsets);
    const property = fc.property(fc.uint8Array({ maxLength: 40 }), charset, (bytes, named) => {
      expect(decoded(bytes, named)).toBeTypeOf('string');
    });
    fc.assert(property, { numRuns: repetitions({ short: 200, soak: 2000 }) });
    expect(() => textOf(Buffer.from('Café', 'latin1'))).toThrow('name its charset');
    expect(textOf(Buffer.from('\uFEFFCafé', 'utf16le'))).toContain('Café');
  });
});

it('a file whose lines say much lets others have their turn while it is compared, before every thousandth line', async () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => ({
    day: '2026-11-20',
    amount: BigInt(at),
    references: [],
    narration: 'TRANSFER from',
  }));
  for (const compare of [async () => namedIn(lines), async () => match(lines, [], 1)]) {
    const turn = vi.fn<() => void>(() => void (next = setImmediate(turn)));
    let next = setImmediate(turn);
    await compare();
    clearImmediate(next);
    expect(turn.mock.calls.length).toBeGreaterThanOrEqual(4);
  }
});
