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
