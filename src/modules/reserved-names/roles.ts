import { drawnWords } from './drawn-words.ts';
import { besideInstitutions, ordinaryNames } from './institutions.ts';
import { holdsPhrase, phrasesOf } from './passes-for.ts';
import { besideRoles, roles } from './reserved.ts';

const ofRoles = phrasesOf(roles);
const besideARole = new Set([...ofRoles.map(({ look }) => look), ...[...roles, ...besideRoles].flatMap(drawnWords)]);
const ordinary = new Set(ordinaryNames.flatMap(drawnWords));
const besideAName = new Set([...besideARole, ...besideInstitutions.flatMap(drawnWords)]);

/** A role, with nothing beside it that would say whose. */
export const isRole = (words: readonly string[]): boolean =>
  words.every((word) => besideARole.has(word)) && holdsPhrase(words, ofRoles);

/** An institution's name that is also a word or that of people, with nothing beside it that says otherwise. */
export const isInstitutionAlone = (words: readonly string[]): boolean =>
  [words, [words.join('')]].some((some) =>
    some.some((word, at) => ordinary.has(word) && some.every((other, index) => index === at || besideAName.has(other))),
  );
