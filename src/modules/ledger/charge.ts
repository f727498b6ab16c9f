import { asMinor, type Minor } from './money.ts';

/** A charge on an amount, in minor units: a share of it, a flat part, a highest charge, and where it begins. */
export interface Charge {
  /** Millionths of the amount: 1.5 % is 15,000. */
  readonly rateMillionths: bigint;
  readonly flat: bigint;
  readonly cap: bigint | undefined;
  /** The least amount it is taken from. */
  readonly from: bigint;
}

const MILLION = 1_000_000n;

/** What a charge takes from an amount: the share rounded half up to the minor unit, never more than its cap. */
export function chargeOn(amount: Minor, { rateMillionths, flat, cap, from }: Charge): Minor {
  if (amount < from) return asMinor(0n);
  const share = (BigInt(amount) * rateMillionths * 2n + MILLION) / (2n * MILLION);
  const total = share + flat;
  return asMinor(cap !== undefined && total > cap ? cap : total);
}
