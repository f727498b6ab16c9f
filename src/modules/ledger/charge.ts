import type { Charge } from '../../charge.ts';
import { asMinor, type Minor } from './money.ts';

const MILLION = 1_000_000n;

/** What a charge takes from an amount: the share rounded half up to the minor unit, never more than its cap. */
export function chargeOn(amount: Minor, { rateMillionths, flat, cap, from }: Charge): Minor {
  if (amount < from) return asMinor(0n);
  const share = (BigInt(amount) * rateMillionths * 2n + MILLION) / (2n * MILLION);
  const total = share + flat;
  return asMinor(cap !== undefined && total > cap ? cap : total);
}
