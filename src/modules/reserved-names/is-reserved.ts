import { skeleton } from './drawn-words.ts';
import { authorities, banks, ordinaryNames } from './institutions.ts';
import { holdsPhrase, isInstitutionAlone, isMisreadAsOurs, isRole, phrasesOf } from './name-checks.ts';
import { brand, reservedHandles } from './reserved.ts';

/**
 * Numbers that stand for a person: ten digits are an account number, eleven a phone, a BVN or a NIN, and after 234 a phone. A handle
 * like that would pass for the person's, also with a letter or two next to it (`08031234567.ng`).
 */
export const NUMBER =
  /^(?:[a-z]{0,2}(?:[0-9]{10,11}|(?:00)?2340?[0-9]{10})|(?:[0-9]{10,11}|(?:00)?2340?[0-9]{10})[a-z]{1,2}|[a-z](?:[0-9]{10,11}|(?:00)?2340?[0-9]{10})[a-z])$/;
/** Texts that programs read as a number: a spreadsheet shows 1E+10 for `1e10`. */
export const WRITTEN_NUMBER = /^(?:[0-9]+(?:[.][0-9]+)?e-?[0-9]+|0x[0-9a-f]+|0b[01]+|0o[0-7]+)$/;
/** A number of any country next to a word that names its kind. */
export const NAMED_NUMBER =
  /^(?:(?:tel|phone|mobile|gsm|call|whatsapp|wa|acct?|account|nuban|bvn|nin|num|number|no)[0-9]{7,}|[0-9]{7,}(?:tel|phone|mobile|gsm|whatsapp|acct?|account|nuban|bvn|nin))$/;
/** Letters that look like digits, and those digits. */
export const DRAWN_DIGITS = { letters: 'oil', digits: '011' } as const;

/** Whether a handle has no letter, is a number to programs, or is a person's number without its separators. */
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
 * True for reserved words, our own name anywhere in a handle, an authority or a bank among its words, a role alone, and look-alikes of
 * these; and for a person's number.
 */
export function isReserved(handle: string): boolean {
  if (readsAsNumber(handle)) return true;
  const look = skeleton(handle);
  if (reservedSkeletons.has(look) || look.includes(OURS) || isMisreadAsOurs(wordsOf(handle))) return true;
  return [handle, handle.replaceAll(DIGITS_AROUND_WORDS, '')]
    .map(wordsOf)
    .some((words) => holdsPhrase(words, institutions) || isInstitutionAlone(words) || isRole(words));
}

/** The words between separators, as they look. */
const wordsOf = (handle: string): string[] =>
  handle
    .split(/[._-]/)
    .map(skeleton)
    .filter((word) => word !== '');
