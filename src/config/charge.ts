import type { Charge } from '#modules/ledger';

const NUMBER = String.raw`(\d{1,13}(?:\.\d{1,2})?)`;
const RATE = String.raw`(\d{1,3}(?:\.\d{1,4})?)%`;
const FORM = new RegExp(`^(?:${NUMBER}|${RATE}(?:\\+${NUMBER})?)(?:<=${NUMBER})?(?:>=${NUMBER})?$`);

/** Decimal text as a whole number of its last place. */
const scaled = (text: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};
const minor = (text: string): bigint => scaled(text, 2);

/**
 * Reads a charge as configuration writes it, in major units: `25` (flat), `1.5%`, `1.5%+100`, and after them `<=2000`
 * for the highest charge and `>=10000` for the least amount it is taken from. Undefined when the text is none.
 */
export function parseCharge(text: string): Charge | undefined {
  const [whole, alone, rate, added, cap, from] = FORM.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return {
    rateMillionths: rate === undefined ? 0n : scaled(rate, 4),
    flat: minor(alone ?? added ?? '0'),
    cap: cap === undefined ? undefined : minor(cap),
    from: minor(from ?? '0'),
  };
}
