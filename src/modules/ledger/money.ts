import { asMinor, type Minor } from '#lib/minor-units.ts';

export { asMinor, type Minor, negated, toMajor } from '#lib/minor-units.ts';

export const currencies = ['NGN', 'FP'] as const;

export type Currency = (typeof currencies)[number];

/** How a charge is computed, in minor units: a rate, a flat part, a cap, and the amount from which it is taken. */
export interface Charge {
  /** Millionths of the amount: 1.5 % is 15,000. */
  readonly rateMillionths: bigint;
  readonly flat: bigint;
  readonly cap: bigint | undefined;
  /** Smaller amounts are not charged. */
  readonly from: bigint;
}

const MILLION = 1_000_000n;

/** The charge on an amount: the share rounded half up to the minor unit, never more than its cap. */
export function chargeOn(amount: Minor, { rateMillionths, flat, cap, from }: Charge): Minor {
  if (amount < from) return asMinor(0n);
  const share = (BigInt(amount) * rateMillionths * 2n + MILLION) / (2n * MILLION);
  const total = share + flat;
  return asMinor(cap !== undefined && total > cap ? cap : total);
}
