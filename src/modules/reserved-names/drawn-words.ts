import { skeleton } from './skeleton.ts';

/** Letters of other scripts that look like a Latin one (Unicode TR39), lower-cased: Cyrillic, Greek, then others. */
const drawnAlike: Record<string, string> = {
  a: '\u0430\u03b1\u0251\u1d00',
  b: '\u0432\u044c\u03b2\u0299\u0253',
  c: '\u0441\u03f2\u1d04\u00a2',
  d: '\u0501\u0257\u1d05',
  e: '\u0435\u03b5\u1d07\u0259\u01dd',
  f: '\ua730',
  g: '\u050d\u0261\u0262',
  h: '\u043d\u04bb',
  i: '\u0456\u03b9\u0131',
  k: '\u043a\u03ba\u0199\u1d0b',
  l: '\u04cf\u029f',
  m: '\u043c\u1d0d',
  n: '\u043f\u03b7\u0274\u014b',
  o: '\u043e\u03bf\u1d0f\u00f8',
  p: '\u0440\u03c1\u1d18',
  r: '\u0433\u0280',
  s: '\u0455\ua731',
  t: '\u0442\u03c4\u1d1b',
  u: '\u057d\u1d1c',
  v: '\u0475\u03bd\u1d20',
  w: '\u0461\u03c9\u1d21',
  x: '\u0445\u03c7',
  y: '\u0443\u04af\u03c5\u03b3\u028f\u01b4',
};
const latin = new Map(
  Object.entries(drawnAlike).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);

/** Symbols that may stand for a letter. */
const symbols: Record<string, string> = { '@': 'a', $: 's', '|': 'l', '!': 'l', '+': 't', '€': 'e', '£': 'l' };

/** What breaks a name into words; what is neither this nor a letter or digit is not seen, as a zero-width space is not. */
const BREAKS = /[\s\p{P}\p{S}]+/u;

/**
 * The words of a name as they look at a glance: without case, accents and what cannot be seen, each letter as the Latin one
 * that it looks like, of whichever script, and digits as the letters they stand for.
 */
export function drawnWords(name: string): string[] {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const drawn = Array.from(letters, (letter) => latin.get(letter) ?? letter).join('');
  return drawn
    .split(BREAKS)
    .map((word) => skeleton(word.replaceAll(/[^a-z0-9]/g, '')))
    .filter((word) => word !== '');
}

/** The ways in which the words of a name can be read: a symbol breaks words, or stands for a letter. */
export function readingsOf(name: string): string[][] {
  const spelt = name.replaceAll(/[@$|!+€£]/g, (symbol) => symbols[symbol] ?? symbol);
  return (spelt === name ? [name] : [name, spelt]).map(drawnWords);
}
