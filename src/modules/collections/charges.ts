import { asMinor, type Charge, chargeOn, type Minor } from '#modules/ledger';

/** What is taken from money that comes in, in minor units. */
export interface Charges {
  fee: Minor;
  commission: Minor;
  stampDuty: Minor;
  /** What is left, and reaches the destination. */
  net: Minor;
}

const NOTHING: Charge = { rateMillionths: 0n, flat: 0n, cap: undefined, from: 0n };

/** What the charges take from an amount: the fee first, and together never more than the amount. */
export function chargesOn(amount: Minor, given: { fee?: Charge; commission?: Charge; stampDuty?: Charge }): Charges {
  let left: bigint = amount;
  const take = (charge: Charge = NOTHING): Minor => {
    const asked = chargeOn(amount, charge);
    const taken = asMinor(asked < left ? asked : left);
    left -= taken;
    return taken;
  };
  const fee = take(given.fee);
  const commission = take(given.commission);
  const stampDuty = take(given.stampDuty);
  return { fee, commission, stampDuty, net: asMinor(left) };
}
