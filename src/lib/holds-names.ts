import { foldedWords } from './folded-words.ts';

/** Real names have fewer words; of a longer one only these are read. */
const WORDS_MAX = 16;

type Words = readonly string[];

/** The words of a name, as names are compared. */
export const nameWords = (text: string): Words => foldedWords(text).slice(0, WORDS_MAX);

/**
 * Whether these words hold each of the names, in any order, with any other words beside them. Case, accents and
 * punctuation make no difference, and a compound name may be written in one word (ADEOJO), with a hyphen (ADE-OJO) or in
 * two (ADE OJO). No word stands for two names.
 */
export const holdsNames = (words: Words, names: readonly Words[]): boolean =>
  names.every((name) => name.length > 0) && holds(words, names);

function holds(words: Words, [name, ...others]: readonly Words[]): boolean {
  if (name === undefined) return true;
  return leftovers(words, name).some((left) => holds(left, others));
}

/** What is left of the words, for each way to find a name among them. */
function leftovers(words: Words, name: Words): Words[] {
  const whole = name.join('');
  const left: Words[] = [];
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + 1; end <= words.length; end += 1) {
      if (words.slice(start, end).join('') === whole) left.push(words.toSpliced(start, end - start));
    }
  }
  const apart = name.reduce<Words | undefined>(without, words);
  return apart === undefined ? left : [...left, apart];
}

/** The words but for one, or undefined when it is not among them. */
function without(words: Words | undefined, word: string): Words | undefined {
  const at = words?.indexOf(word) ?? -1;
  return at < 0 ? undefined : words?.toSpliced(at, 1);
}
