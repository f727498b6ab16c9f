/** Real names have fewer words, and of more no match is looked for. */
const WORDS_MAX = 16;

type Words = readonly string[];

/** The words of a name, as names are compared. */
export const nameWords = (text: string): Words => foldedWords(text);

/**
 * Whether these words hold each of the names, in any order, among any other words. Case, accents and
 * punctuation make no difference, and a compound name may be written in one word (ADEOJO), with a hyphen (ADE-OJO) or in
 * two (ADE OJO). No word stands for two names. More than 16 words hold no name, and none holds more than 16.
 *
 * @param names of several words each three at most, since each of these is looked for in two ways
 */
export function holdsNames(words: Words, names: readonly Words[]): boolean {
  if (words.length > WORDS_MAX || names.flat().length > WORDS_MAX) return false;
  return names.every((name) => name.length > 0) && waysToWrite(names).some((wanted) => holds(words, counted(wanted)));
}

/** Each name in one word or in those that it has. */
const waysToWrite = (names: readonly Words[]): Words[] =>
  names.reduce<Words[]>(
    (ways, name) => {
      const apart = ways.map((way) => [...way, ...name]);
      return name.length === 1 ? apart : [...apart, ...ways.map((way) => [...way, name.join('')])];
    },
    [[]],
  );

/** How often each word stands there. */
function counted(words: Words): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * Whether the words hold the wanted ones, as often as wanted: each alone, or spelled by several adjacent words. Visits each state (a
 * place in the words and what is missing there) once.
 */
function holds(words: Words, wanted: ReadonlyMap<string, number>): boolean {
  const seen = new Set<string>();
  const lettersFrom = words.map((_, at) => words.slice(at).join('').length);
  const isFound = (from: number, missing: ReadonlyMap<string, number>, letters: number): boolean => {
    if (letters === 0) return true;
    const state = `${from} ${[...missing.values()].join(' ')}`;
    if (letters > (lettersFrom[from] ?? 0) || seen.has(state)) return false;
    seen.add(state);
    let spelled = '';
    for (let end = from; end < words.length; end += 1) {
      spelled += words[end];
      const count = missing.get(spelled) ?? 0;
      if (count > 0) {
        const less = new Map(missing).set(spelled, count - 1);
        if (isFound(end + 1, less, letters - spelled.length)) return true;
      } else if (end === from && isFound(end + 1, missing, letters)) return true;
    }
    return false;
  };
  return isFound(
    0,
    wanted,
    [...wanted].reduce((sum, [word, count]) => sum + word.length * count, 0),
  );
}

/** Hausa letters that Unicode does not decompose, as banks write them. */
const HOOKED: Record<string, string> = { Ɓ: 'B', Ɗ: 'D', Ƙ: 'K', Ƴ: 'Y', Ŋ: 'N', Ǝ: 'E', Ə: 'E' };
const APOSTROPHE = /['’‘ʼʹ`´]/g;

/**
 * The words of a text as texts are matched: case, accents and punctuation make no difference. An apostrophe is no break:
 * O'Neil is ONEIL.
 */
export function foldedWords(text: string): string[] {
  const folded = text
    .toUpperCase()
    .replace(/./gsu, (letter) => HOOKED[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(APOSTROPHE, '');
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
