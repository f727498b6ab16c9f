import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigit, nubanOf } from '../../../src/modules/wallets/nuban.ts';

const serial = fc.integer({ min: 0, max: 999_999_999 });
const code = fc.oneof(fc.stringMatching(/^\d{3}$/), fc.stringMatching(/^\d{6}$/));

/** The verification of the standard: the weighted sum of all digits, the check digit with weight 1, is a multiple of ten. */
const weightedSum = (institution: string, nuban: string) =>
  Array.from(institution.padStart(6, '0') + nuban)
    .map((digit, index) => Number(digit) * (index === 15 ? 1 : [3, 7, 3][index % 3]!))
    .reduce((sum, term) => sum + term, 0);

describe('a Nuban', () => {
  it('has the check digit of the worked example in the CBN standard', () => {
    expect(checkDigit('011', '000001457')).toBe('9');
    expect(nubanOf('011', 1457)).toBe('0000014579');
  });

  it('has ten digits that verify, for every bank and other institution', () => {
    fc.assert(
      fc.property(code, serial, (institution, number) => {
        const nuban = nubanOf(institution, number);
        expect(nuban).toMatch(/^\d{10}$/);
        expect(weightedSum(institution, nuban) % 10).toBe(0);
      }),
    );
  });

  it('no longer verifies when one digit is mistyped', () => {
    fc.assert(
      fc.property(code, serial, fc.nat(9), fc.integer({ min: 1, max: 9 }), (institution, number, at, by) => {
        const nuban = nubanOf(institution, number);
        const typed = `${nuban.slice(0, at)}${(Number(nuban[at]) + by) % 10}${nuban.slice(at + 1)}`;
        expect(weightedSum(institution, typed) % 10).not.toBe(0);
      }),
    );
  });

  it('is never given out past the last serial number', () => {
    expect(() => nubanOf('011', 1_000_000_000)).toThrow(RangeError);
  });
});
