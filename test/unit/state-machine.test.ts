import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBecome, statesLeadingTo, statesOf } from '#lib/state-machine.ts';

const door = { OPEN: ['SHUT'], SHUT: ['OPEN', 'LOCKED'], LOCKED: ['SHUT'], GONE: [] } as const;

it('the states of a table are its keys, in their order', () => {
  expect(statesOf(door)).toEqual(['OPEN', 'SHUT', 'LOCKED', 'GONE']);
});

it('a state becomes those it leads to, and no other', () => {
  expect(mayBecome(door, 'SHUT', 'LOCKED')).toBe(true);
  expect(mayBecome(door, 'OPEN', 'LOCKED')).toBe(false);
  expect(mayBecome(door, 'OPEN', 'OPEN')).toBe(false);
  expect(statesLeadingTo(door, 'SHUT')).toEqual(['OPEN', 'LOCKED']);
  expect(statesLeadingTo(door, 'GONE')).toEqual([]);
});

it('a table that leads to a state it does not have does not compile', () => {
  // @ts-expect-error CLOSED is no state of this table
  statesOf({ OPEN: ['CLOSED'] } as const);
  // @ts-expect-error CLOSED is no state of this table
  expect(statesLeadingTo(door, 'CLOSED')).toEqual([]);
});

const tables: fc.Arbitrary<Record<string, string[]>> = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 7 })
  .chain((states) =>
    fc
      .tuple(...states.map((from) => fc.subarray(states.filter((to) => to !== from))))
      .map((nexts) => Object.fromEntries(states.map((from, at) => [from, nexts[at] ?? []]))),
  );

describe('for any table', () => {
  it('the states that lead to one are those that may become it', () => {
    fc.assert(
      fc.property(tables, (table) => {
        for (const from of statesOf(table)) {
          for (const to of statesOf(table)) {
            expect(statesLeadingTo(table, to).includes(from)).toBe(mayBecome(table, from, to));
          }
        }
      }),
    );
  });

  it('every transition that is written is found from its end, once, and none beside', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const written = statesOf(table).flatMap((from) => (table[from] ?? []).map((to) => `${from}\0${to}`));
        const found = statesOf(table).flatMap((to) => statesLeadingTo(table, to).map((from) => `${from}\0${to}`));
        expect(found.toSorted()).toEqual(written.toSorted());
      }),
    );
  });

  it('an end becomes nothing', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const ends = statesOf(table).filter((state) => table[state]?.length === 0);
        const befores = statesOf(table).flatMap((to) => statesLeadingTo(table, to));
        expect(ends.filter((end) => befores.includes(end))).toEqual([]);
      }),
    );
  });
});
