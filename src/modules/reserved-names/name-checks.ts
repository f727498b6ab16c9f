import { DomainError } from '#lib/domain-error.ts';
import { problemOfShownName } from '#lib/text/display-name.ts';
import { drawnWords, readingsOf, skeleton } from './drawn-words.ts';
import { authorities, bankQualifiers, banks, ordinaryNames } from './institutions.ts';
import { brand, roleQualifiers, roles } from './reserved.ts';

const SMALL_WORDS = new Set(['of', 'the', 'for', 'and'].flatMap(drawnWords));

/** A shorter phrase matches only whole words: FIRS is not in "firstly". */
const FUSED_MIN = 8;

/** Bankole and Banke are names of people, not of banks. */
const PEOPLE_NAMED_BANK = /bank(?:ole|ale|e(?![a-z]))/g;

/** Initials as short as this may stand in a person's name. */
const INITIALS_MAX = 3;

/** Our own name as it is misread: with v or u for y, or a letter twice. */
const MISREAD = /pa+[yvu]+t+a+g/;
const MISREAD_WHOLE = /^p+a+[yvu]+t+a+g+$/;

/** Whether a word, or two together, are read as our own name at a glance. */
export const isMisreadAsOurs = (words: readonly string[]): boolean =>
  words.some((word, at) => MISREAD.test(word) || MISREAD_WHOLE.test(`${word}${words[at + 1] ?? ''}`));

interface Phrase {
  /** Its words in one. */
  look: string;
  wordCount: number;
}

const withoutSmall = (words: readonly string[]): string[] => words.filter((word) => !SMALL_WORDS.has(word));

/** Each phrase as it looks, with its small words and without. */
export function phrasesOf(names: readonly string[]): Phrase[] {
  const looks = names.flatMap((name) => {
    const words = drawnWords(name);
    return [words, withoutSmall(words)].map((some): [string, number] => [some.join(''), some.length]);
  });
  return [...new Map(looks)].map(([look, wordCount]) => ({ look, wordCount }));
}

/**
 * Whether one of the phrases stands in a name: as whole words, however they are spaced, or inside a long word.
 *
 * @param ofPerson single letters may be their initials
 */
export const holdsPhrase = (words: readonly string[], phrases: readonly Phrase[], ofPerson = false): boolean =>
  [words, withoutSmall(words)].some((some) => phrases.some((phrase) => stands(some, phrase, ofPerson)));

function stands(words: readonly string[], { look }: Phrase, ofPerson: boolean): boolean {
  if (look.length >= FUSED_MIN && words.some((word) => word.replaceAll(PEOPLE_NAMED_BANK, ' ').includes(look)))
    return true;
  return words.some((_, start) => {
    let run = '';
    for (const [at, word] of words.slice(start).entries()) {
      run += word;
      const areInitials = ofPerson && at > 0 && look.length <= INITIALS_MAX && words.length > look.length;
      if (run === look) return !areInitials;
      if (!look.startsWith(run)) return false;
    }
    return false;
  });
}

const ofRoles = phrasesOf(roles);
const allowedWithRole = new Set([
  ...ofRoles.map(({ look }) => look),
  ...[...roles, ...roleQualifiers].flatMap(drawnWords),
]);
const ordinary = new Set(ordinaryNames.flatMap(drawnWords));
const allowedWithBank = new Set([...allowedWithRole, ...bankQualifiers.flatMap(drawnWords)]);

/** A role, without a word that says of which organisation. */
export const isRole = (words: readonly string[]): boolean =>
  words.every((word) => allowedWithRole.has(word)) && holdsPhrase(words, ofRoles);

/** An institution's ordinary name, without another word that changes its meaning. */
export const isInstitutionAlone = (words: readonly string[]): boolean =>
  [words, [words.join('')]].some((some) =>
    some.some(
      (word, at) => ordinary.has(word) && some.every((other, index) => index === at || allowedWithBank.has(other)),
    ),
  );

const OURS = skeleton(brand);
const ofAuthorities = phrasesOf(authorities);
const ofBanks = phrasesOf(banks);
const ofBanksInWords = ofBanks.filter(({ wordCount }) => wordCount > 1);

const ofBanksInOneWord = phrasesOf(banks.filter((name) => !ordinaryNames.includes(name))).filter(
  ({ wordCount }) => wordCount === 1,
);

/** Our own name within a word, or across whole words. */
function holdsOurs(words: readonly string[]): boolean {
  return isMisreadAsOurs(words) || holdsPhrase(words, [{ look: OURS, wordCount: 1 }]);
}

/**
 * Whether people would take an application of this name for us, an authority or a bank: our own name anywhere in it, however it is
 * spaced, or only a role.
 */
export function passesForSomebody(name: string): boolean {
  return readingsOf(name).some((words) => {
    const look = words.join('');
    const isInstitution = holdsPhrase(words, ofAuthorities) || holdsPhrase(words, ofBanks) || isInstitutionAlone(words);
    return look.includes(OURS) || isMisreadAsOurs(words) || isRole(words) || isInstitution;
  });
}

/** A person's names, displayed together. */
interface PersonNames {
  firstName?: string | undefined;
  otherName?: string | undefined;
  lastName?: string | undefined;
}

/** People are called Bank-Anthony: joined names are one word. */
const personReadings = (...names: (string | undefined)[]): string[][] =>
  readingsOf(
    names
      .filter((name) => name !== undefined)
      .join(' ')
      .replaceAll(/(?<=\p{L})[-\u2010-\u2015'\u2019\u02bc](?=\p{L})/gu, ''),
  );

/** Whether a person's names name a bank, in two words or more. */
const holdsBank = (readings: string[][]): boolean => readings.some((words) => holdsPhrase(words, ofBanksInWords, true));

/** Whether unconfirmed names contain a bank in one word, or are only a role. Uba is common as one name of several. */
const passesInOneWord = (words: string[], isOneOfSeveral: boolean): boolean =>
  isRole(words) ||
  holdsPhrase(words, ofBanksInOneWord, true) ||
  (isInstitutionAlone(words) && !(isOneOfSeveral && words.length === 1));

/** Refuses a name that does not read as it is spelled. @throws DomainError INVALID_PARAMETER */
function assertReadable(member: string, name: string): void {
  const problem = problemOfShownName(name);
  if (problem !== undefined) throw new DomainError('INVALID_PARAMETER', `${member}: ${problem}`);
}

/**
 * Refuses the name of an application that passes for us, an authority or a bank, or that does not read as it is spelled.
 *
 * @throws DomainError APPLICATION_NAME_RESERVED, INVALID_PARAMETER
 */
export function assertThingName(member: string, name: string, ...alsoCalled: string[]): void {
  if ([name, ...alsoCalled].some(passesForSomebody)) {
    const message = `${member}: passes for PayTag, an authority or a bank: choose another`;
    throw new DomainError('APPLICATION_NAME_RESERVED', message);
  }
  assertReadable(member, name);
}

/**
 * Refuses names that pass for us or an authority, even confirmed ones; and names that pass for a bank or a role, unless only first and
 * last name do and the register confirmed them. Also refuses names that do not read as they are spelled.
 *
 * @param given.confirmed the register holds first and last name
 * @param given.within the path of the names in the request, e.g. `kyc.`
 * @throws DomainError NAME_RESERVED, INVALID_PARAMETER
 */
export function assertPersonName(
  { firstName, otherName, lastName }: PersonNames,
  { confirmed = false, within = '' }: { confirmed?: boolean; within?: string } = {},
): void {
  const names = { firstName, otherName, lastName };
  if (passesAsPerson(names, confirmed)) throw passesFor();
  for (const [member, name] of Object.entries(names)) if (name !== undefined) assertReadable(within + member, name);
}

/** Refuses what `assertPersonName` refuses, of a name in one piece. @throws DomainError NAME_RESERVED, INVALID_PARAMETER */
export function assertDisplayName(displayName: string): void {
  if (passesAsPerson({ firstName: displayName }, false)) throw passesFor();
  assertReadable('displayName', displayName);
}

const passesFor = (): DomainError =>
  new DomainError('NAME_RESERVED', 'the name passes for PayTag, an authority, a bank or a role: give the person’s own');

function passesAsPerson({ firstName, otherName, lastName }: PersonNames, confirmed: boolean): boolean {
  const readings = personReadings(firstName, otherName, lastName);
  const isOfRegister = confirmed && holdsBank(personReadings(firstName, lastName));
  const unconfirmed = confirmed ? [otherName] : [firstName, otherName, lastName];
  return (
    readings.some((words) => holdsOurs(words) || holdsPhrase(words, ofAuthorities, true)) ||
    (!isOfRegister && holdsBank(readings)) ||
    unconfirmed.some((name) => personReadings(name).some((words) => passesInOneWord(words, true))) ||
    (!confirmed && readings.some((words) => passesInOneWord(words, false)))
  );
}
