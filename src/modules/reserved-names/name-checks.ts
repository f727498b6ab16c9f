import { DomainError } from '#lib/domain-error.ts';
import { readingsOf } from './drawn-words.ts';
import { authorities, banks } from './institutions.ts';
import { holdsPhrase, phrasesOf } from './passes-for.ts';
import { besideRoles, brand, roles } from './reserved.ts';
import { skeleton } from './skeleton.ts';

const OURS = skeleton(brand);
const ofRoles = new Set(roles.map(skeleton));
const alsoOfRoles = new Set(besideRoles.map(skeleton));
const ofAuthorities = phrasesOf(authorities);
const ofBanks = phrasesOf(banks);
const ofBanksInWords = ofBanks.filter(({ wordCount }) => wordCount > 1);

/** A role, with nothing beside it that would say whose. */
const isRole = (words: readonly string[]): boolean =>
  words.some((word) => ofRoles.has(word)) && words.every((word) => ofRoles.has(word) || alsoOfRoles.has(word));

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
    return look.includes(OURS) || isRole(words) || holdsPhrase(words, ofAuthorities) || holdsPhrase(words, ofBanks);
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

/**
 * Refuses names that pass for us or for an authority, whoever says that a person is called so; and for a bank, unless the
 * bank's name is in first and last name alone and the register confirmed these: then they are called so.
 *
 * @param given.confirmed the register holds first and last name
 * @throws DomainError NAME_RESERVED
 */
export function assertPersonName(names: PersonNames, { confirmed = false }: { confirmed?: boolean } = {}): void {
  const { firstName, otherName, lastName } = names;
  const readings = personReadings(firstName, otherName, lastName);
  const isOfRegister = confirmed && holdsBank(personReadings(firstName, lastName));
  const passes =
    readings.some((words) => holdsOurs(words) || holdsPhrase(words, ofAuthorities, true)) ||
    (!isOfRegister && holdsBank(readings));
  if (passes) {
    throw new DomainError('NAME_RESERVED', 'the name passes for PayTag, an authority or a bank: give the person’s own');
  }
}

/** Refuses what `assertPersonName` refuses, of a name in one piece. @throws DomainError NAME_RESERVED */
export const assertDisplayName = (name: string): void => assertPersonName({ firstName: name });
