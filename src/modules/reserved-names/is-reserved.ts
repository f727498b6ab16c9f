import { skeleton } from './drawn-words.ts';
import { authorities, banks, ordinaryNames } from './institutions.ts';
import { holdsPhrase, isInstitutionAlone, isMisreadAsOurs, isRole, phrasesOf } from './name-checks.ts';
import { brand, reservedHandles } from './reserved.ts';

/**
 * What people call somebody by who has no handle: ten digits are an account number, eleven a phone, a BVN or a NIN, and with 234
 * before them a phone. A handle that reads so would be taken for that person's, also with a letter or two beside it (`08031234567.ng`).
 */
export const NUMBER =
  /^(?:[a-z]{0,2}(?:[0-9]{10,11}|(?:00)?2340?[0-9]{10})|(?:[0-9]{10,11}|(?:00)?2340?[0-9]{10})[a-z]{1,2}|[a-z](?:[0-9]{10,11}|(?:00)?2340?[0-9]{10})[a-z])$/;
/** What programs read as a number, with its separators: a spreadsheet shows 1E+10 for `1e10`. */
export const WRITTEN_NUMBER = /^(?:[0-9]+(?:[.][0-9]+)?e-?[0-9]+|0x[0-9a-f]+|0b[01]+|0o[0-7]+)$/;
/** The same with a word beside it that says so, of whichever country. */
export const NAMED_NUMBER =
  /^(?:(?:tel|phone|mobile|gsm|call|whatsapp|wa|acct?|account|nuban|bvn|nin|num|number|no)[0-9]{7,}|[0-9]{7,}(?:tel|phone|mobile|gsm|whatsapp|acct?|account|nuban|bvn|nin))$/;
/** Letters that are drawn like digits, and which. */
export const DRAWN_DIGITS = { letters: 'oil', digits: '011' } as const;

/** Whether a handle has no letter, is a number to programs, or reads as somebody's once its separators are removed. */
function readsAsNumber(handle: string): boolean {
  const bare = handle.replaceAll(/[._-]/g, '');
  if (!/[a-z]/.test(bare) || WRITTEN_NUMBER.test(handle)) return true;
  const { letters, digits } = DRAWN_DIGITS;
  const drawn = bare.replaceAll(/[oil]/g, (letter) => digits[letters.indexOf(letter)] ?? letter);
  return NUMBER.test(drawn) || NAMED_NUMBER.test(bare);
}

const OURS = skeleton(brand);
const reservedSkeletons = new Set(reservedHandles.map(skeleton));
const institutions = phrasesOf([...authorities, ...banks.filter((name) => !ordinaryNames.includes(name))]);
const DIGITS_AROUND_WORDS = /(?<![^._-])\d+|(?<!\d)\d+(?![^._-])/g;

/**
 * True for the words nobody may have, for our own name wherever it stands, for an authority or a bank among the words of a
 * handle, for a role alone, and for what passes for one of these; and for what reads as somebody's number.
 */
export function isReserved(handle: string): boolean {
  if (readsAsNumber(handle)) return true;
  const look = skeleton(handle);
  if (reservedSkeletons.has(look) || look.includes(OURS) || isMisreadAsOurs(wordsOf(handle))) return true;
  return [handle, handle.replaceAll(DIGITS_AROUND_WORDS, '')]
    .map(wordsOf)
    .some((words) => holdsPhrase(words, institutions) || isInstitutionAlone(words) || isRole(words));
}

/** What separators keep apart, each as it looks. */
const wordsOf = (handle: string): string[] =>
  handle
    .split(/[._-]/)
    .map(skeleton)
    .filter((word) => word !== '');
