import { isOurs } from './is-reserved.ts';

/** Letters of other scripts that look like a Latin one (Unicode TR39), lower-cased: Cyrillic, Greek, then phonetic ones. */
const drawnAlike: Record<string, string> = {
  a: '\u0430\u03b1\u0251\u1d00',
  b: '\u0432',
  c: '\u0441\u03f2\u1d04',
  e: '\u0435\u03b5\u1d07',
  g: '\u050d\u0261\u0262',
  h: '\u043d\u04bb',
  i: '\u0456\u03b9\u0131',
  k: '\u043a\u03ba',
  m: '\u043c',
  n: '\u03b7\u0274',
  o: '\u043e\u03bf\u1d0f',
  p: '\u0440\u03c1\u1d18',
  s: '\u0455\ua731',
  t: '\u0442\u03c4\u1d1b',
  u: '\u057d\u1d1c',
  v: '\u0475\u03bd',
  x: '\u0445\u03c7',
  y: '\u0443\u04af\u03c5\u03b3\u028f',
};
const latin = new Map(
  Object.entries(drawnAlike).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);

/**
 * True for a name that people would take for ours: `PayTag`, `Pay-Tag Support`, and the same in letters or digits that
 * look alike, of whichever script.
 */
export function passesForUs(name: string): boolean {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const drawn = Array.from(letters, (letter) => latin.get(letter) ?? letter).join('');
  return isOurs(drawn.replaceAll(/[^a-z0-9]/g, ''));
}
