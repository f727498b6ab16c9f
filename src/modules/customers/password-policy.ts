import { DomainError } from '#lib/domain-error.ts';
import { lazy, lazyPackage } from '#lib/lazy.ts';

const passwordLists = lazyPackage<typeof import('@zxcvbn-ts/language-common')>('@zxcvbn-ts/language-common');

const LENGTH_MIN = 8;
const LENGTH_MAX = 128;
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
 * 8 to 128 characters, not among the 49,000 most common ones nor a pattern as common, and not made of its owner's PayTag
 * or names.
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
  if (isMadeOf(owner, password)) throw weak('password: must not be the PayTag or the names');
}

/** True for `12121212` and `abcdefgh`, which the list leaves out: whoever guesses makes them up. */
function isPattern(password: string): boolean {
  if (/^(.{1,4}?)\1+$/u.test(password)) return true;
  const points = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const steps = points.slice(1).map((point, before) => point - (points[before] ?? 0));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** True for the PayTag and the names, alone or one after the other, whatever stands between and around them. */
function isMadeOf({ tag, firstName, lastName, otherName = '' }: PasswordOwner, password: string): boolean {
  const own = [tag, firstName, lastName, otherName].map(letters).filter((name) => name !== '');
  let rest = letters(password);
  if (rest === '') return false;
  for (const name of own.toSorted((a, b) => b.length - a.length)) rest = rest.replaceAll(name, '');
  return rest === '';
}

/** Folded to its letters and digits. */
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const weak = (message: string): DomainError => new DomainError('WEAK_PASSWORD', message);
