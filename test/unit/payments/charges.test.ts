import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Charge } from '#modules/ledger';
import { asMinor } from '#modules/ledger';
import { parseCharge } from '../../../src/config/charge.ts';
import { chargesOn } from '../../../src/modules/payments/charges.ts';

const charge = (text: string): Charge => {
  const parsed = parseCharge(text);
  if (parsed === undefined) throw new Error(`${text} is no charge`);
  return parsed;
};

it('takes fee, commission and stamp duty from the amount, each by itself, half up', () => {
  const given = { fee: charge('1.5%'), commission: charge('0.5%+1'), stampDuty: charge('50>=10000') };
  expect(chargesOn(asMinor(100_001n), given)).toEqual({ fee: 1_500n, commission: 600n, stampDuty: 0n, net: 97_901n });
  expect(chargesOn(asMinor(1_000_000n), given)).toEqual({
    fee: 15_000n,
    commission: 5_100n,
    stampDuty: 5_000n,
    net: 974_900n,
  });
});

it('takes nothing where nothing is configured', () => {
  expect(chargesOn(asMinor(1n), {})).toEqual({ fee: 0n, commission: 0n, stampDuty: 0n, net: 1n });
});

it('never takes more than there is, the fee first', () => {
  const given = { fee: charge('10'), commission: charge('5') };
  expect(chargesOn(asMinor(1_200n), given)).toMatchObject({ fee: 1_000n, commission: 200n, net: 0n });
  expect(chargesOn(asMinor(1n), given)).toMatchObject({ fee: 1n, commission: 0n, net: 0n });
});

it('charges and the remainder always add up to the amount', () => {
  const anyCharge = fc.record({
    rateMillionths: fc.bigInt({ min: 0n, max: 1_000_000n }),
    flat: fc.bigInt({ min: 0n, max: 100_000n }),
    cap: fc.option(fc.bigInt({ min: 0n, max: 100_000n }), { nil: undefined }),
    from: fc.bigInt({ min: 0n, max: 1_000_000n }),
  });
  const amounts = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
  fc.assert(
    fc.property(amounts, anyCharge, anyCharge, anyCharge, (amount, fee, commission, stampDuty) => {
      const taken = chargesOn(asMinor(amount), { fee, commission, stampDuty });
      expect(Object.values(taken).reduce((sum: bigint, one: bigint) => sum + one, 0n)).toBe(amount);
      expect(Object.values(taken).every((one) => one >= 0n)).toBe(true);
    }),
  );
});
