import { lazy } from '#lib/lazy.ts';
import { lookAlikes } from './look-alikes.ts';
import { skeleton } from './skeleton.ts';

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

/** What breaks a name into words; what is neither this nor a letter or digit is not seen, as a zero-width space is not. */
const BREAKS = /[\s\p{P}\p{S}]+/u;

/**
 * The words of a name as they look at a glance: without case, accents and what cannot be seen, each letter as the Latin one
 * that it looks like, of whichever script, and digits as the letters they stand for.
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

/** Capitals and small letters of other scripts may look like different letters: as it is written counts first. */
const drawnLetter = (letter: string): string => {
  const small = letter.toLowerCase();
  return lookOf(letter) ?? lookOf(small) ?? lookOf(letter.toUpperCase()) ?? small;
};

/** The ways in which the words of a name can be read: a symbol breaks words, or stands for a letter. */
export function readingsOf(name: string): string[][] {
  const spelt = name.replaceAll(/\/\\|\\\/|-\|-|\(\)|[\^@$|!+€£]/g, (symbol) => symbols[symbol] ?? symbol);
  return (spelt === name ? [name] : [name, spelt]).map(drawnWords);
}
