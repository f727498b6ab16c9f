import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sayWhatIsRight } from '../../../src/http/what-is-right.ts';

beforeAll(sayWhatIsRight);

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
