/** What stands for what is hidden. */
const HIDDEN = '***';
/** E-mail addresses; and digits in a row as phones, BVNs and account numbers have, which are no part of an id. */
const PERSONAL = /(?<![^\s@<>"])[^\s@<>"]+@[^\s@<>"]+|(?<![\w-])\+?\d(?:[ -]?\d){9,}(?![\w-])/g;

/** `A*** O***`: enough to tell two people apart. */
export const maskName = (name: string): string => name.replaceAll(/(\S)\S*/gu, `$1${HIDDEN}`);

/** `******4321`: enough to recognise a number that one knows. */
export const maskNumber = (number: string): string =>
  number.length < 8 ? HIDDEN : `${'*'.repeat(number.length - 4)}${number.slice(-4)}`;

/** `a***@example.com`. */
export const maskEmail = (email: string): string =>
  `${email.slice(0, 1)}${HIDDEN}${email.slice(email.lastIndexOf('@'))}`;

/** Text that may say anything of anybody. */
export const maskText = (): string => HIDDEN;

/** Text of our own people: without e-mail addresses and numbers that could be somebody's. */
export const maskProse = (text: string): string => text.replaceAll(PERSONAL, HIDDEN);

/** Each value in it that could say who somebody is, hidden; its names stay. */
export function maskValues(value: unknown, mask: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return mask(value, name);
  if (typeof value === 'number') return Math.abs(value) >= 1e9 ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((item) => maskValues(item, mask, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([own, inner]) => [own, maskValues(inner, mask, own)]));
}
