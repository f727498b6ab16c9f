import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileShape } from '#http/normalize.ts';
import { verbatim } from '#lib/verbatim.ts';

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
      phone: '0803 123',
      tags: ['ada'],
      note,
    });
  });

  it('is trimmed in one walk, however much there is to trim', () => {
    const shape = z.object({ note: z.string(), phone: z.string() });
    for (const mark of [' ', '\t', '\u200b', '\u{e0101}', '\ufe0d']) {
      const text = `a${mark.repeat(200_000)}b${mark.repeat(200_000)}`;
      const begun = performance.now();
      judge(shape, { note: text, phone: text });
      expect(performance.now() - begun).toBeLessThan(500);
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
