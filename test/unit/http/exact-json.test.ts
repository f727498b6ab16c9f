import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseExactJson } from '#http/exact-json.ts';
import { amountIn, amountInQuery, toMajor } from '#wire/money.ts';

const readAmount = (text: string) => {
  const read = z.object({ amount: amountIn }).safeParse(parseExactJson(`{"amount":${text}}`));
  return read.success ? read.data.amount : undefined;
};

describe('an amount on the wire', () => {
  it('is read to the kobo, in any plain decimal notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.boolean(), (minor, trimmed) => {
        const full = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
        const text = trimmed ? full.replace(/0$/, '').replace(/\.0?$/, '') : full;
        expect(readAmount(text)).toBe(minor);
        expect(JSON.stringify(toMajor(minor))).toBe(full.replace(/0$/, '').replace(/\.0?$/, ''));
      }),
    );
  });

  it.each([
    ['1.0E7', 1_000_000_000n],
    ['1e2', 10_000n],
    ['1E+2', 10_000n],
    ['1.5e3', 150_000n],
    ['1500.500', 150_050n],
    ['10.000', 1000n],
    ['100.0000000000000000000000000000000000', 10_000n],
    ['150050e-2', 150_050n],
    ['1e-2', 1n],
    ['0.010', 1n],
    ['0.1e1', 100n],
    ['999999999999999e-2', 999_999_999_999_999n],
    ['9.99999999999999E12', 999_999_999_999_999n],
  ])('is what it says, however it is written: %s', (text, minor) => {
    expect(readAmount(text)).toBe(minor);
    const query = amountInQuery.safeParse(text);
    expect(query.data).toBe(minor);
  });

  it.each([
    ['nothing', '0'],
    ['less than nothing', '-1'],
    ['less than nothing, as zero', '-0'],
    ['three decimals', '10.005'],
    ['three decimals by its exponent', '10005e-3'],
    ['a value that rounds to a good one', '0.1000000000000000055511151231257827'],
    ['decimals beyond what a double holds', '10.0000000000000000001'],
    ['an exponent that makes it too small', '1e-3'],
    ['an exponent that makes it too large', '1E13'],
    ['less than any double', '1e-400'],
    ['more than any double, by its digits', '1'.repeat(39)],
    ['more than any double', '1e400'],
    ['an unsafe integer', '9007199254740993'],
    ['one kobo too much', '10000000000000'],
    ['text', '"100"'],
    ['text of a number it must not become', '"1e2"'],
    ['nothing at all', 'null'],
    ['a list', '[100]'],
  ])('is refused when it is %s: %s', (_what, text) => {
    expect(readAmount(text)).toBeUndefined();
  });
});

describe('a JSON body', () => {
  it('keeps free-form members as they are', () => {
    const text = '{"metadata":{"lat":6.5,"many":1e-7,"list":[1,"2",null,true]}}';
    expect(JSON.stringify(parseExactJson(text))).toBe(text);
    const written = '{"metadata":{"zeros":10.000,"exponent":1.0E7,"id":9007199254740993,"pi":3.14159265358979323846}}';
    expect(JSON.parse(JSON.stringify(parseExactJson(written)))).toEqual({
      metadata: { zeros: 10, exponent: 10_000_000, id: '9007199254740993', pi: '3.14159265358979323846' },
    });
  });

  it('takes a number of forty characters, and refuses a longer one by the name of its member', () => {
    const ofLength = (length: number) => `{"metadata":{"n":1.${'0'.repeat(length - 3)}1}}`;
    expect(JSON.parse(JSON.stringify(parseExactJson(ofLength(40))))).toEqual({
      metadata: { n: `1.${'0'.repeat(37)}1` },
    });
    for (const length of [41, 32_000]) {
      expect(() => parseExactJson(ofLength(length))).toThrow(
        expect.objectContaining({ code: 'MALFORMED_JSON', message: 'n: a number must have at most 40 characters' }),
      );
    }
  });

  it.each([
    ['what is not JSON', '{"a":'],
    ['a prototype', '{"__proto__":{"admin":true}}'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['a NUL', '{"a":"x\\u0000y"}'],
    ['half a character', '{"a":"\\ud800"}'],
    ['a NUL in a name', '{"x\\u0000":1}'],
  ])('is refused when it holds %s', (_what, text) => {
    expect(() => parseExactJson(text)).toThrow(expect.objectContaining({ code: 'MALFORMED_JSON' }));
  });
});
