import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { parseExactJson } from '#http/bodies.ts';
import { compileShape, installZodMessages } from '#http/validation.ts';
import { verbatim } from '#lib/text/input.ts';
import { amountIn, amountInQuery, toMajor } from '#wire/money.ts';
import { metadata } from '#wire/text.ts';
import { jsonMs, threadMs } from '../../support/log.ts';

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
    ['a NUL', '{"a":"x\\u0000y"}'],
    ['half a character', '{"a":"\\ud800"}'],
    ['a NUL in a name', '{"x\\u0000":1}'],
  ])('is refused when it holds %s', (_what, text) => {
    expect(() => parseExactJson(text)).toThrow(expect.objectContaining({ code: 'MALFORMED_JSON' }));
  });

  it.each([
    ['a prototype', '{"a":[{"__proto__":{"admin":true}}]}'],
    ['a prototype that is written otherwise', '{"\\u005f_proto__":{"admin":true}}'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ])('is refused for what it is when it holds %s', (_what, text) => {
    expect(() => parseExactJson(text)).toThrow(
      expect.objectContaining({ code: 'MALFORMED_JSON', message: expect.stringMatching(/__proto__/) }),
    );
  });
});

/** What a shape makes of a body: the value, or the paths of what is wrong. */
function judge(schema: z.ZodType, given: unknown): unknown {
  const route = { schema, method: 'POST', url: '/', httpPart: 'body' };
  const judged = compileShape(route)(given) as { value?: unknown; error?: { issues?: unknown }[] };
  if (judged.error === undefined) return judged.value;
  return (judged.error as unknown as { instancePath: string }[]).map(({ instancePath }) => instancePath);
}
const optionalOf = (shape: z.ZodType) => z.object({ member: shape.optional(), other: z.int().optional() });
const ABSENT = [undefined, null, '', ' \t\n\u00a0'];

describe('an optional member that is null, empty or only blanks', () => {
  it.each([
    ['text', z.string().min(1)],
    ['an enum', z.enum(['a', 'b'])],
    ['a literal', z.literal('a')],
    ['a number', z.int().min(1)],
    ['a boolean', z.boolean()],
    ['an id', z.uuid()],
    ['free-form members', z.record(z.string(), z.unknown())],
    ['something that is transformed', z.string().regex(/^\d+$/).transform(Number)],
    ['an object', z.object({ name: z.string() })],
  ])('counts as absent: %s', (_what, shape) => {
    for (const member of ABSENT) expect(judge(optionalOf(shape), { member, other: 1 })).toEqual({ other: 1 });
  });

  it('is what stands there by default, and what a later step makes of nothing', () => {
    const shape = z.object({
      currency: z.enum(['NGN', 'FP']).default('NGN'),
      isSure: z.boolean().default(false),
      status: z
        .enum(['a'])
        .optional()
        .transform((status) => status ?? 'none'),
    });
    for (const blank of ABSENT) {
      const given = { currency: blank, isSure: blank, status: blank };
      expect(judge(shape, given)).toEqual({ currency: 'NGN', isSure: false, status: 'none' });
    }
  });

  it('is a value where the shape takes null, and then only null is', () => {
    const shape = z.object({ url: z.string().nullable().optional(), limit: z.int().nullish() });
    expect(judge(shape, { url: null, limit: null })).toEqual({ url: null, limit: null });
    expect(judge(shape, { url: ' ', limit: '' })).toEqual({});
  });

  it('may be an object whose members are all absent, whichever of them are required', () => {
    const shape = z.object({ kyc: z.object({ firstName: z.string(), otherName: z.string().optional() }).optional() });
    for (const kyc of [{}, { firstName: '' }, { firstName: null, otherName: ' ' }, { unknown: 1 }]) {
      expect(judge(shape, { kyc })).toEqual({});
    }
    expect(judge(shape, { kyc: { otherName: 'Ngozi' } })).toEqual(['/kyc/firstName']);
    expect(judge(shape, { kyc: { firstName: ' Ada ', otherName: '' } })).toEqual({ kyc: { firstName: 'Ada' } });
  });
});

describe('a required member', () => {
  it.each([null, '', '   '])('that is %j is named', (member) => {
    expect(judge(z.object({ member: z.string().min(1) }), { member })).toEqual(['/member']);
  });
});

describe('text', () => {
  it('is trimmed before it is judged', () => {
    const shape = z.object({
      name: z.string().max(3),
      kind: z.enum(['a', 'b']),
      id: z.uuid(),
      day: z.union([z.iso.date(), z.iso.datetime()]),
    });
    const good = { name: 'Ada', kind: 'a', id: '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d', day: '1990-05-17' };
    const blanks = Object.fromEntries(Object.entries(good).map(([name, value]) => [name, ` ${value}\n`]));
    expect(judge(shape, blanks)).toEqual(good);
  });

  const MARKS = [
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u200b',
    '\u200f',
    '\ufeff',
    '\ufe0d',
    '\u00ad',
    '\u061c',
    '\u3164',
    '\u{e0067}',
    '\u{e0101}',
    '\u0085',
  ];

  it.each(MARKS)('is trimmed of %j, which is not seen, and of blanks beside it', (mark) => {
    const shape = z.object({ name: z.string(), email: z.email(), kind: z.enum(['a', 'b']), urls: z.array(z.url()) });
    const good = { name: 'Ọlá\u200dde', email: 'ada@example.com', kind: 'a', urls: ['https://a.example/'] };
    const around = (text: string) => `${mark} ${mark}${text} ${mark}${mark}\n`;
    const { urls, ...texts } = good;
    const pasted = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, around(text)]));
    expect(judge(shape, { ...pasted, urls: urls.map(around) })).toEqual(good);
    expect(judge(optionalOf(z.string()), { member: `${mark}${mark} `, other: 1 })).toEqual({ other: 1 });
  });

  it.each(MARKS.filter((mark) => mark !== '\u0085'))('has no %j inside a number, a handle or a day', (mark) => {
    const shape = z.object({
      bvn: z.string().regex(/^\d{11}$/),
      tag: z.string().max(3),
      phone: z.string().optional(),
      tags: z.array(z.string().max(3)).optional(),
      note: z.string(),
    });
    const within = (text: string) => Array.from(text).join(mark);
    const pasted = { bvn: within('22212345678'), tag: within('ada'), phone: within('0803 123'), tags: [within('ada')] };
    const note = `a${mark}b`;
    expect(judge(shape, { ...pasted, note })).toEqual({
      bvn: '22212345678',
      tag: 'ada',
      phone: '0803123',
      tags: ['ada'],
      note,
    });
  });

  it.each([' ', '\u00a0', '\u2007', '\u202f', '\u1680', '\t'])('has no %j inside a number', (blank) => {
    const digits = z.string().regex(/^\d+$/);
    const shape = z.object({ bvn: digits, accountNumber: digits, otp: digits, phone: digits, tag: z.string() });
    const pasted = { bvn: '222 2222 2222', accountNumber: '012 345 6789', otp: '123 456', phone: '0803 123 4567' };
    const spaced = Object.entries(pasted).map(([name, text]) => [name, text.replaceAll(' ', blank)]);
    expect(judge(shape, { ...Object.fromEntries(spaced), tag: `a${blank}b` })).toEqual({
      bvn: '22222222222',
      accountNumber: '0123456789',
      otp: '123456',
      phone: '08031234567',
      tag: `a${blank}b`,
    });
  });

  it('is trimmed in one walk, however much there is to trim', async () => {
    const mebibyteMs = await jsonMs();
    const shape = z.object({ note: z.string(), phone: z.string() });
    for (const mark of [' ', '\t', '\u200b', '\u{e0101}', '\ufe0d']) {
      const text = `a${mark.repeat(200_000)}b${mark.repeat(200_000)}`;
      expect(await threadMs(() => judge(shape, { note: text, phone: text }))).toBeLessThan(50 * mebibyteMs);
    }
  });

  it('that is a header is read as UTF-8, and as it came where it is none', () => {
    const schema = z.object({ 'x-terminal': z.string() });
    const judged = compileShape({ schema, method: 'GET', url: '/', httpPart: 'headers' });
    const sent = (text: string) => ({ 'x-terminal': Buffer.from(text).toString('latin1') });
    expect(judged(sent('\u202aTRM-1\u202c'))).toEqual({ value: { 'x-terminal': 'TRM-1' } });
    expect(judged({ 'x-terminal': 'T\xe9' })).toEqual({ value: { 'x-terminal': 'T\xe9' } });
  });

  it('in each kind of body is trimmed by the kind’s own shape', () => {
    const shape = z.discriminatedUnion('type', [
      z.object({ type: z.literal('A'), member: z.string() }),
      z.object({ type: z.literal('B'), member: z.record(z.string(), z.unknown()).optional() }),
    ]);
    expect(judge(shape, { type: ' A', member: ' a ' })).toEqual({ type: 'A', member: 'a' });
    expect(judge(shape, { type: 'B', member: ' ' })).toEqual({ type: 'B' });
    expect(judge(shape, { type: 'C', member: ' ' })).toEqual(['/type']);
  });

  it('that is marked stays as it was written, unless it is optional and blank', () => {
    const password = verbatim(z.string())
      .refine((text) => text !== '')
      .max(100);
    const shape = z.object({ password, state: verbatim(z.string()).optional() });
    expect(judge(shape, { password: ' a b ', state: ' c ' })).toEqual({ password: ' a b ', state: ' c ' });
    expect(judge(shape, { password: '  ', state: ' ' })).toEqual({ password: '  ' });
  });

  it('in free-form and in unknown members stays as it was written', () => {
    const shape = z.looseObject({ metadata: z.record(z.string(), z.unknown()).optional() });
    const given = { metadata: { note: ' a ', nothing: null, empty: {} }, unknown: ' b ' };
    expect(judge(shape, given)).toEqual(given);
    expect(judge(shape, { metadata: {} })).toEqual({ metadata: {} });
  });
});

it('a body that is no object is refused as it was', () => {
  for (const given of [42, true, 'text', null, [], [{ member: '' }]]) {
    expect(judge(optionalOf(z.string()), given)).toEqual(['/']);
  }
});

it('the members of a query, whose object has no prototype, are treated alike', () => {
  const query: unknown = Object.assign(Object.create(Object.create(null)), { member: ' ', other: 1 });
  expect(judge(optionalOf(z.string()), query)).toEqual({ other: 1 });
});

it('what was sent is not changed', () => {
  const given = Object.freeze({ member: ' a ', nested: Object.freeze({ member: '' }) });
  judge(z.object({ member: z.string(), nested: optionalOf(z.string()) }), given);
  expect(given).toEqual({ member: ' a ', nested: { member: '' } });
});

beforeAll(installZodMessages);

const said = (shape: z.ZodType, given: unknown) => shape.safeParse(given).error?.issues[0]?.message;

describe('a value that is not valid is told what would be right', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['nothing, for text', z.string(), undefined, 'is missing: it must be text'],
    ['a number, for text', z.string(), 5, 'must be text'],
    ['a fraction, for a whole number', z.int(), 1.5, 'must be a whole number'],
    ['text, for a switch', z.boolean(), 'yes', 'must be true or false'],
    ['text, for a list', z.array(z.string()), 'a', 'must be a list'],
    ['a list, for an object', z.object({}), [], 'must be an object'],
    ['an id of another kind', z.uuid(), '5', 'must be a UUID'],
    ['a day that does not exist', z.iso.date(), '2026-02-30', 'must be a date, as 2026-11-23'],
    ['a value that is not on the list', z.enum(['NGN', 'FP']), 'USD', 'must be one of NGN, FP'],
    ['anything but the one value', z.literal('INBOUND'), 'X', 'must be INBOUND'],
    ['a number below its least', z.int().min(0), -1, 'must be at least 0'],
    ['too long a text', z.string().max(2), 'abc', 'must have at most 2 characters'],
    ['an empty list', z.array(z.string()).min(1), [], 'must not be empty'],
  ])('%s', (_given, shape, value, sentence) => {
    expect(said(shape, value)).toBe(sentence);
  });

  it('a shape that has words of its own keeps them', () => {
    expect(said(z.string('must be a tag'), 5)).toBe('must be a tag');
  });
});

const accepts = (value: unknown): boolean => metadata.safeParse(value).success;
const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

test('metadata is an object of at most 4096 characters as JSON', () => {
  const longest = { long: 'x'.repeat(4096 - '{"long":""}'.length) };
  expect(accepts(longest)).toBe(true);
  expect(accepts({ long: `${longest.long}x` })).toBe(false);
  for (const other of [[], 'gold', 1, null]) expect(accepts(other)).toBe(false);
});

test('metadata is nested at most 32 levels deep', () => {
  expect(accepts(nested(32))).toBe(true);
  for (const levels of [33, 5_000]) expect(accepts(nested(levels))).toBe(false);
});
