import type { Charge } from '#modules/ledger';

/** Numbers of two places, and a rate of four, in front of what they are marked by. */
const FORM =
  /^(?:(\d{1,13}(?:\.\d{1,2})?)|(\d{1,3}(?:\.\d{1,4})?)%(?:\+(\d{1,13}(?:\.\d{1,2})?))?)(?:<=(\d{1,13}(?:\.\d{1,2})?))?(?:>=(\d{1,13}(?:\.\d{1,2})?))?$/;

/** A decimal number as a whole number of its last place, e.g. `1.5` with 2 decimals as 150. */
const scaled = (text: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};

/** A plain decimal amount in naira, as kobo. The format is checked before. */
export const koboOf = (text: string): bigint => scaled(text, 2);

/**
 * Reads a charge, with amounts in naira: `25` (flat), `1.5%` or `1.5%+100`; then, both optional, `<=2000` for the highest
 * charge and `>=10000` for the least amount that is charged. Undefined when the text is not a charge.
 */
export function parseCharge(text: string): Charge | undefined {
  const [whole, alone, rate, added, cap, from] = FORM.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return {
    rateMillionths: rate === undefined ? 0n : scaled(rate, 4),
    flat: koboOf(alone ?? added ?? '0'),
    cap: cap === undefined ? undefined : koboOf(cap),
    from: koboOf(from ?? '0'),
  };
}
