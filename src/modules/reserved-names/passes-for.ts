import { drawnWords } from './drawn-words.ts';

const SMALL_WORDS = new Set(['of', 'the', 'for', 'and'].flatMap(drawnWords));
/** Shorter than this a phrase is found only where it begins and ends with a word: FIRS is no part of "firstly". */
const FUSED_MIN = 8;
/** Bankole and Banke are people: their names end none of a bank. */
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
