import { DomainError } from '#lib/domain-error.ts';
import { readingsOf } from './drawn-words.ts';
import { authorities, banks, ordinaryNames } from './institutions.ts';
import { holdsPhrase, phrasesOf } from './passes-for.ts';
import { brand } from './reserved.ts';
import { isInstitutionAlone, isRole } from './roles.ts';
import { skeleton } from './skeleton.ts';

const OURS = skeleton(brand);
const ofAuthorities = phrasesOf(authorities);
const ofBanks = phrasesOf(banks);
const ofBanksInWords = ofBanks.filter(({ wordCount }) => wordCount > 1);
const ofBanksInOneWord = phrasesOf(banks.filter((name) => !ordinaryNames.includes(name))).filter(
  ({ wordCount }) => wordCount === 1,
);

/** Our own name within a word, or made of whole ones. */
function holdsOurs(words: readonly string[]): boolean {
  return words.some((word) => word.includes(OURS)) || holdsPhrase(words, [{ look: OURS, wordCount: 1 }]);
}

/**
 * Whether people would take a thing of this name (an application) for us, for an authority or for a bank. Our own name
 * stands nowhere in it, however it is spaced; nor is it a role at ours and nothing else.
 */
export function passesForSomebody(name: string): boolean {
  return readingsOf(name).some((words) => {
    const look = words.join('');
    const isInstitution = holdsPhrase(words, ofAuthorities) || holdsPhrase(words, ofBanks) || isInstitutionAlone(words);
    return look.includes(OURS) || isRole(words) || isInstitution;
  });
}

/** A person's names, as they are shown together. */
interface PersonNames {
  firstName?: string | undefined;
  otherName?: string | undefined;
  lastName?: string | undefined;
}

/** People are called Bank-Anthony: what is joined is one word. */
const personReadings = (...names: (string | undefined)[]): string[][] =>
  readingsOf(
    names
      .filter((name) => name !== undefined)
      .join(' ')
      .replaceAll(/(?<=\p{L})[-\u2010-\u2015'\u2019\u02bc](?=\p{L})/gu, ''),
  );

/** Whether a person's names name a bank, in two words or more. */
const holdsBank = (readings: string[][]): boolean => readings.some((words) => holdsPhrase(words, ofBanksInWords, true));

/** Whether names that nobody confirmed name a bank in one word, or a role alone. People have Uba for one name of several. */
const passesInOneWord = (words: string[], isOneOfSeveral: boolean): boolean =>
  isRole(words) ||
  holdsPhrase(words, ofBanksInOneWord, true) ||
  (isInstitutionAlone(words) && !(isOneOfSeveral && words.length === 1));

/**
 * Refuses names that pass for us or for an authority, whoever says that a person is called so; and for a bank or a role,
 * unless that is in first and last name alone and the register confirmed these: then they are called so.
 *
 * @param given.confirmed the register holds first and last name
 * @throws DomainError NAME_RESERVED
 */
export function assertPersonName(names: PersonNames, { confirmed = false }: { confirmed?: boolean } = {}): void {
  const { firstName, otherName, lastName } = names;
  const readings = personReadings(firstName, otherName, lastName);
  const isOfRegister = confirmed && holdsBank(personReadings(firstName, lastName));
  const unconfirmed = confirmed ? [otherName] : [firstName, otherName, lastName];
  const passes =
    readings.some((words) => holdsOurs(words) || holdsPhrase(words, ofAuthorities, true)) ||
    (!isOfRegister && holdsBank(readings)) ||
    unconfirmed.some((name) => personReadings(name).some((words) => passesInOneWord(words, true))) ||
    (!confirmed && readings.some((words) => passesInOneWord(words, false)));
  if (passes) {
    const message = 'the name passes for PayTag, an authority, a bank or a role: give the person’s own';
    throw new DomainError('NAME_RESERVED', message);
  }
}

/** Refuses what `assertPersonName` refuses, of a name in one piece. @throws DomainError NAME_RESERVED */
export const assertDisplayName = (name: string): void => assertPersonName({ firstName: name });
