import { expect, test } from 'vitest';
import { metadata } from '#wire/metadata.ts';

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
