import { asMinor, type Minor } from '#lib/minor-units.ts';

/** 9,999,999,999,999.99: as much as an amount of ours may be. */
const DIGITS_MAX = 13;
/** As long as an amount is written, with currency and sign. A longer text is not looked at. */
const WRITTEN_MAX = 40;
const CURRENCY = /^(?:NGN|₦)|(?:NGN|₦)$/i;

/**
 * An amount as a bank writes it, in minor units: its text is taken apart, and never becomes a float. A sign may stand before
 * or behind it, `(1,000.00)` and `1,000.00 DR` are below zero, and thousands may be grouped by what is not the decimal mark.
 *
 * @returns undefined for what is no amount of at most two decimals
 */
export function readAmount(text: string, decimalMark: '.' | ',' = '.'): Minor | undefined {
  const written = text.trim();
  if (written.length > WRITTEN_MAX) return undefined;
  const [sign, unsigned] = signOf(written);
  const parts = unsigned.split(decimalMark);
  const [whole = '', fraction = ''] = parts;
  const groups = decimalMark === '.' ? /^(?:\d+|\d{1,3}(?:[,' ]\d{3})+)$/ : /^(?:\d+|\d{1,3}(?:[.' ]\d{3})+)$/;
  if (parts.length > 2 || !groups.test(whole) || !/^\d{0,2}0*$/.test(fraction)) return undefined;
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  if (digits.length > DIGITS_MAX) return undefined;
  return asMinor(sign * (BigInt(digits) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'))));
}

function signOf(given: string): [1n | -1n, string] {
  const text = withoutCurrency(given);
  const inBrackets = /^\((.+)\)$/.exec(text)?.[1];
  if (inBrackets !== undefined) return [-1n, withoutCurrency(inBrackets)];
  const before = /^([-+−])(.+)$/.exec(text);
  if (before !== null) return [before[1] === '+' ? 1n : -1n, withoutCurrency(before[2] ?? '')];
  const behind = /^(.+?)(-|CR|DR|C|D)$/i.exec(text);
  if (behind === null) return [1n, text];
  return [/^c/i.test(behind[2] ?? '') ? 1n : -1n, (behind[1] ?? '').trimEnd()];
}

const withoutCurrency = (text: string): string => text.trim().replace(CURRENCY, '').trim();
