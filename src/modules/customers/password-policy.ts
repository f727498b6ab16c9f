import { DomainError } from '#lib/domain-error.ts';
import { lazy, lazyPackage } from '#lib/lazy.ts';

const passwordLists = lazyPackage<typeof import('@zxcvbn-ts/language-common')>('@zxcvbn-ts/language-common');

const LENGTH_MIN = 8;
const LENGTH_MAX = 128;
/** What whoever guesses tries first here, besides the names: our own name, and words of our trade and place. */
const WORDS_OF_OURS = ['paytag', 'wallet', 'naira', 'money', 'password', 'nigeria', 'lagos', 'abuja'];
/** A year or a PIN beside such words makes them no harder to guess. */
const DIGITS_BESIDE_MAX = 4;
/** Longer patterns are on nobody's list. */
const PATTERN_LENGTH_MAX = 16;

const commonPasswords = lazy(() => {
  const { dictionary } = passwordLists();
  return new Set(dictionary['passwords-common']);
});

/** What a password must not be: the PayTag and the names of its owner. */
export interface PasswordOwner {
  tag: string;
  firstName: string;
  lastName: string;
  otherName?: string | undefined;
}

/**
 * 8 to 128 characters, not among the 49,000 most common ones that have leaked nor a pattern as common, and not made of its
 * owner's PayTag or names, or of words of ours.
 *
 * @throws DomainError WEAK_PASSWORD
 */
export function assertPasswordAllowed(password: string, owner: PasswordOwner): void {
  const length = Array.from(password).length;
  if (length < LENGTH_MIN || length > LENGTH_MAX) {
    throw weak(`password: must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`);
  }
  if (password.trim() === '') throw weak('password: must not be only blanks');
  if (commonPasswords().has(password.toLowerCase())) throw weak('password: is one of the most common passwords');
  if (length <= PATTERN_LENGTH_MAX && isPattern(password.toLowerCase())) {
    throw weak('password: must not be one piece again and again, nor a run of neighbours');
  }
  if (isMadeOf(owner, password)) throw weak('password: must not be made of the PayTag, the names, or words of ours');
}

/** True for `12121212` and `abcdefgh`, which the list leaves out: whoever guesses makes them up. */
function isPattern(password: string): boolean {
  if (/^(.{1,4}?)\1+$/u.test(password)) return true;
  const points = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const steps = points.slice(1).map((point, before) => point - (points[before] ?? 0));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** True for PayTag, names and words of ours, alone or one after the other, with few digits or whatever else stands between. */
function isMadeOf({ tag, firstName, lastName, otherName = '' }: PasswordOwner, password: string): boolean {
  const own = [tag, firstName, lastName, otherName, ...WORDS_OF_OURS].map(letters).filter((word) => word !== '');
  const given = letters(password);
  let rest = given;
  for (const word of own.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '');
  return rest !== given && rest.length <= DIGITS_BESIDE_MAX && /^\d*$/.test(rest);
}

/** Folded to its letters and digits. */
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const weak = (message: string): DomainError => new DomainError('WEAK_PASSWORD', message);
