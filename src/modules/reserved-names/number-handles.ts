/**
 * What people call somebody by who has no handle: ten digits are an account number, eleven a phone, a BVN or a NIN, and with 234
 * before them a phone. A handle that reads so would be taken for that person's.
 */
export const NUMBER = /^(?:[0-9]{10,11}|(?:00)?2340?[0-9]{10})$/;
/** The same with a word beside it that says so, of whichever country. */
export const NAMED_NUMBER =
  /^(?:(?:tel|phone|mobile|gsm|call|whatsapp|wa|acct?|account|nuban|bvn|nin|num|number|no)[0-9]{7,}|[0-9]{7,}(?:tel|phone|mobile|gsm|whatsapp|acct?|account|nuban|bvn|nin))$/;
/** Letters that are drawn like digits, and which. */
export const DRAWN_DIGITS = { letters: 'oil', digits: '011' } as const;

/** Whether a handle has no letter, or reads as somebody's number once its separators are removed. */
export function readsAsNumber(handle: string): boolean {
  const bare = handle.replaceAll(/[._-]/g, '');
  if (!/[a-z]/.test(bare)) return true;
  const { letters, digits } = DRAWN_DIGITS;
  const drawn = bare.replaceAll(/[oil]/g, (letter) => digits[letters.indexOf(letter)] ?? letter);
  return NUMBER.test(drawn) || NAMED_NUMBER.test(bare);
}
