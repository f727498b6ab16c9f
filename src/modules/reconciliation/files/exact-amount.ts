import { asMinor, type Minor, negated } from '#lib/minor-units.ts';

/** 9,999,999,999,999.99: as much as an amount of ours may be. */
const DIGITS_MAX = 13;
/** As long as an amount is written, with currency and sign. A longer text is not looked at. */
const WRITTEN_MAX = 40;
/** Blanks that keep digits together, as banks and spreadsheets write them between thousands. */
const OTHER_BLANKS = /[\u00A0\u2007\u2009\u202F]/g;
const BEFORE = /^(?:NGN|₦|N(?=[ \d(+−-])|#)/i;
const BEHIND = /(?:NGN|₦)$/i;
const SIDE = /(CR|DR|DB|C|D)\.?$/i;
const GROUPS = { '.': [',', "'", ' '], ',': ['.', "'", ' '] };

/** An amount as a bank writes it, and what is said of its direction. */
export interface WrittenAmount {
  /** Minor units, without a sign. */
  amount: Minor;
  /** The sign before or behind it, or its brackets. */
  sign: '+' | '-' | undefined;
  /** Whether it is called a credit or a debit. */
  side: 'C' | 'D' | undefined;
}

/**
 * Takes an amount apart as text: it never becomes a float. A sign may stand before or behind it, `(1,000.00)` is below zero, `CR`,
 * `DR` and `DB` may stand behind it, `NGN`, `₦`, `N` and `#` before it, and thousands may be grouped by what is not the decimal mark.
 *
 * @returns undefined for what is no amount of at most two decimals, has two signs that differ, begins with a zero that says nothing,
 *   or has three decimals, which may be thousands that are grouped by the other mark
 */
export function readWritten(text: string, decimalMark: '.' | ',' = '.'): WrittenAmount | undefined {
  if (text.length > WRITTEN_MAX * 2) return undefined;
  let rest = text.replaceAll(OTHER_BLANKS, ' ').trim();
  if (rest.length > WRITTEN_MAX) return undefined;
  const signs = new Set<'+' | '-'>();
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest);
    if (found !== null) rest = rest.slice(found.index + found[0].length).trimStart();
    return found?.[0];
  };
  const takeBehind = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest);
    if (found !== null) rest = rest.slice(0, found.index).trimEnd();
    return found === null ? undefined : (found[1] ?? found[0]);
  };
  const side = takeBehind(SIDE)?.[0]?.toUpperCase() as 'C' | 'D' | undefined;
  takeBehind(BEHIND);
  take(BEFORE);
  const before = take(/^[-+−]/);
  if (before !== undefined) signs.add(before === '+' ? '+' : '-');
  take(BEFORE);
  if (rest.startsWith('(') && rest.endsWith(')')) {
    signs.add('-');
    rest = rest.slice(1, -1).trim();
    take(BEFORE);
  } else if (takeBehind(/[-−]$/) !== undefined) {
    signs.add('-');
  }
  const amount = signs.size > 1 ? undefined : digitsOf(rest, decimalMark);
  return amount === undefined ? undefined : { amount, sign: [...signs][0], side };
}

function digitsOf(text: string, decimalMark: '.' | ','): Minor | undefined {
  const parts = text.split(decimalMark);
  const [whole = '', fraction = ''] = parts;
  if (parts.length > 2 || !isGrouped(whole, decimalMark)) return undefined;
  const digits = whole.replaceAll(/\D/g, '');
  // What begins with a zero is the end of an amount whose thousands were taken for another field.
  return fraction.length === 3 || /^0\d/.test(digits) ? undefined : readDecimal(`${digits}.${fraction}`);
}

/** A decimal as formats write it that know no thousands: digits, a point or a comma, and two places at most that are not zero. */
export function readDecimal(text: string): Minor | undefined {
  if (text.length > WRITTEN_MAX || !/^\d+(?:[.,]\d*)?$/.test(text)) return undefined;
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  const digits = whole.replace(/^0+/, '');
  if (digits.length > DIGITS_MAX || !/^\d{0,2}0*$/.test(fraction)) return undefined;
  return asMinor(BigInt(digits === '' ? '0' : digits) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0')));
}

/** Whether thousands are set apart from one another everywhere, by the same mark, or nowhere. */
function isGrouped(whole: string, decimalMark: '.' | ','): boolean {
  const mark = GROUPS[decimalMark].find((one) => whole.includes(one));
  const [first = '', ...others] = mark === undefined ? [whole] : whole.split(mark);
  return (
    /^\d+$/.test(first) && (mark === undefined || first.length <= 3) && others.every((group) => /^\d{3}$/.test(group))
  );
}

/** The same with its sign: what is called a debit, or has a minus, is below zero. Undefined too where the two contradict each other. */
export function readAmount(text: string, decimalMark: '.' | ',' = '.'): Minor | undefined {
  const written = readWritten(text, decimalMark);
  if (written === undefined) return undefined;
  const { amount, sign, side } = written;
  if (sign !== undefined && side !== undefined && (sign === '-') !== (side === 'D')) return undefined;
  return sign === '-' || side === 'D' ? negated(amount) : amount;
}
