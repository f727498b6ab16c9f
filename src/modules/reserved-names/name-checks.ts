import { DomainError } from '#lib/domain-error.ts';
import { problemOfShownName } from '#lib/text/display-name.ts';
import { readingsOf } from './drawn-words.ts';
import { authorities, banks, ordinaryNames } from './institutions.ts';
import { holdsPhrase, isMisreadAsOurs, phrasesOf } from './passes-for.ts';
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
  return isMisreadAsOurs(words) || holdsPhrase(words, [{ look: OURS, wordCount: 1 }]);
}

/**
 * Whether people would take a thing of this name (an application) for us, for an authority or for a bank. Our own name
 * stands nowhere in it, however it is spaced; nor is it a role at ours and nothing else.
 */
export function passesForSomebody(name: string): boolean {
  return readingsOf(name).some((words) => {
    const look = words.join('');
    const isInstitution = holdsPhrase(words, ofAuthorities) || holdsPhrase(words, ofBanks) || isInstitutionAlone(words);
    return look.includes(OURS) || isMisreadAsOurs(words) || isRole(words) || isInstitution;
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

/** Refuses a name that is not read as what it is. @throws DomainError INVALID_PARAMETER */
function assertReadable(member: string, name: string): void {
  const problem = problemOfShownName(name);
  if (problem !== undefined) throw new DomainError('INVALID_PARAMETER', `${member}: ${problem}`);
}

/**
 * Refuses the name of a thing (an application) that passes for us, for an authority or a bank, or is not read as what it is.
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
 * Refuses names that pass for us or for an authority, whoever says that a person is called so; and for a bank or a role,
 * unless that is in first and last name alone and the register confirmed these: then they are called so. Names that are not read
 * as what they are, whoever has them, are refused too.
 *
 * @param given.confirmed the register holds first and last name
 * @param given.within where the names stand in the request, e.g. `kyc.`
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
