import { lazy } from '#lib/lazy.ts';
import { lookAlikes } from './look-alikes.ts';

const latin = lazy(
  () => new Map(Object.entries(lookAlikes).flatMap(([looks, others]) => Array.from(others, (other) => [other, looks]))),
);

/** Symbols that may stand for a letter, and several that draw one. */
const symbols: Record<string, string> = {
  '/\\': 'a',
  '\\/': 'v',
  '-|-': 't',
  '()': 'o',
  '^': 'a',
  '@': 'a',
  $: 's',
  '|': 'l',
  '!': 'l',
  '+': 't',
  '€': 'e',
  '£': 'l',
};

/** Separators of words; a character that is neither a separator nor a letter or digit is invisible, e.g. a zero-width space. */
const BREAKS = /[\s\p{P}\p{S}]+/u;

/**
 * The words of a name as they look at a glance: without case, accents and invisible characters, each letter of any script as the
 * Latin letter that it looks like, and digits as the letters they stand for.
 */
export function drawnWords(name: string): string[] {
  const drawn = Array.from(name, (character) => lookOf(character) ?? withoutMarks(character).map(drawnLetter).join(''));
  return drawn
    .join('')
    .split(BREAKS)
    .map((word) => skeleton(word.replaceAll(/[^a-z0-9]/g, '')))
    .filter((word) => word !== '');
}

const lookOf = (letter: string): string | undefined => latin().get(letter);

const withoutMarks = (character: string): string[] => Array.from(character.normalize('NFKD').replaceAll(/\p{M}/gu, ''));

/** Capitals and small letters of other scripts may look like different letters: the written form comes first. */
const drawnLetter = (letter: string): string => {
  const small = letter.toLowerCase();
  return lookOf(letter) ?? lookOf(small) ?? lookOf(letter.toUpperCase()) ?? small;
};

/** The ways in which the words of a name can be read: a symbol breaks words, or stands for a letter. */
export function readingsOf(name: string): string[][] {
  const spelt = name.replaceAll(/\/\\|\\\/|-\|-|\(\)|[\^@$|!+€£]/g, (symbol) => symbols[symbol] ?? symbol);
  return (spelt === name ? [name] : [name, spelt]).map(drawnWords);
}

/** ASCII characters that pass for one another, each shown as one of its group. */
const asciiLookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  j: 'l',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'b',
  '8': 'b',
  '7': 't',
  '9': 'g',
  q: 'g',
};

/** Two letters that pass for one. */
const digraphs: Record<string, string> = { rn: 'm', vv: 'w', cl: 'd' };

/**
 * What a handle looks like at a glance: two handles with one skeleton are confusable (the idea is that of
 * Unicode TR39, for the ASCII that handles are made of). Separators do not count.
 */
export function skeleton(handle: string): string {
  const letters = handle
    .replaceAll(/[._-]/g, '')
    .replaceAll(/[0-9ijq]/g, (character) => asciiLookAlikes[character] ?? character);
  return letters.replaceAll(/rn|vv|cl/g, (pair) => digraphs[pair] ?? pair);
}
