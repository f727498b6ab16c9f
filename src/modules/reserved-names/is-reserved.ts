import { authorities, banks, ordinaryNames } from './institutions.ts';
import { readsAsNumber } from './number-handles.ts';
import { holdsPhrase, isMisreadAsOurs, phrasesOf } from './passes-for.ts';
import { brand, reservedHandles } from './reserved.ts';
import { isInstitutionAlone, isRole } from './roles.ts';
import { skeleton } from './skeleton.ts';

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
