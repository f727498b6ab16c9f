import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Charge } from '#modules/ledger';
import { asMinor, chargeOn } from '#modules/ledger';

/** Beyond what the wire allows, so that nothing here is saved by being small. */
const amounts = fc.bigInt(1n, 10n ** 24n);
const money = fc.bigInt(0n, 10n ** 12n);
const charges: fc.Arbitrary<Charge> = fc.record({
  rateMillionths: fc.bigInt(0n, 10_000_000n),
  flat: money,
  cap: fc.option(money, { nil: undefined }),
  from: fc.oneof(fc.constant(0n), money),
});
const plain: Charge = { rateMillionths: 0n, flat: 0n, cap: undefined, from: 0n };
const of = (amount: bigint, charge: Partial<Charge>): bigint => chargeOn(asMinor(amount), { ...plain, ...charge });

describe('a charge', () => {
  it('is the whole number nearest to the exact share, the upper one of two that are as near', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt(0n, 10_000_000n), (amount, rateMillionths) => {
        const exact = amount * rateMillionths;
        const off = exact - of(amount, { rateMillionths }) * 1_000_000n;
        expect(-500_000n <= off && off < 500_000n).toBe(true);
      }),
    );
  });

  it('is the share and the flat part, nothing below where it begins, and never above its cap', () => {
    fc.assert(
      fc.property(amounts, charges, (amount, charge) => {
        const { cap, flat, from, rateMillionths } = charge;
        const uncapped = of(amount, { rateMillionths }) + flat;
        const capped = cap !== undefined && uncapped > cap ? cap : uncapped;
        expect(of(amount, charge)).toBe(amount < from ? 0n : capped);
      }),
    );
  });

  it('never falls when the amount rises', () => {
    fc.assert(
      fc.property(amounts, amounts, charges, (one, other, charge) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(of(less, charge) <= of(more, charge)).toBe(true);
      }),
    );
  });

  it.each([
    ['0.5 kobo goes up', 100n, { rateMillionths: 5_000n }, 1n],
    ['a hair less than 0.5 goes down', 99n, { rateMillionths: 5_000n }, 0n],
    ['1.5 goes up to 2', 300n, { rateMillionths: 5_000n }, 2n],
    ['2.5 goes up to 3, not to the even 2', 500n, { rateMillionths: 5_000n }, 3n],
    ['1.005 of a naira, which a double holds as less', 6_700n, { rateMillionths: 15_000n }, 101n],
    ['the largest amount of the wire, exactly', 999_999_999_999_999n, { rateMillionths: 15_000n }, 15_000_000_000_000n],
    ['on the amount where it begins', 1_000_000n, { flat: 5_000n, from: 1_000_000n }, 5_000n],
    ['a kobo before it begins', 999_999n, { flat: 5_000n, from: 1_000_000n }, 0n],
    ['at its cap', 20_000_000n, { rateMillionths: 15_000n, cap: 200_000n }, 200_000n],
    ['100 %', 12_345n, { rateMillionths: 1_000_000n }, 12_345n],
  ])('%s', (_what, amount, charge, expected) => {
    expect(of(amount, charge)).toBe(expected);
  });
});
