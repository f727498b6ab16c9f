declare const minor: unique symbol;

/** An amount in minor units (kobo, hundredths of a point). Never a float. */
export type Minor = bigint & { readonly [minor]: true };

/** Marks a bigint as a number of minor units. */
export const asMinor = (value: bigint): Minor => value as Minor;

/**
 * Checks under the locks of a change the amount that it moves or frees. Throws, and so rolls back, where one operator alone may not, or
 * the amount exceeds the approved one. Undefined: the amount is unknown.
 */
export type Judge = (amount: Minor | undefined) => void;

/** The same amount with the other sign. */
export const negated = (amount: Minor): Minor => asMinor(-BigInt(amount));

/** An amount as answers and event bodies show it: a number of major units (naira, points). */
export const toMajor = (amount: bigint): number => Number(amount) / 100;

/** An amount of major units, whose text is a plain decimal of at most two places, in minor units: nothing is rounded. */
export function toMinor(major: number): Minor {
  const [whole = '0', fraction = ''] = String(major).split('.');
  return asMinor(BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0')));
}

/** Digits in groups of three: `1234567` is `1,234,567`. */
export function grouped(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(end - 3, 0), end));
  return groups.join(',');
}

/**
 * What a number is, however it is written: `1500.500`, `1.5005E3` and `1500.5` are one text. Undefined for what is no number of JSON.
 *
 * @param text of bounded length
 */
export function exactValue(text: string): string | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${fraction}`;
  let start = 0;
  while (digits[start] === '0') start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
