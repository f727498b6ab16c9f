/** ASCII characters that pass for one another, each shown as one of its group. */
const lookAlikes: Record<string, string> = {
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
    .replaceAll(/[0-9ijq]/g, (character) => lookAlikes[character] ?? character);
  return letters.replaceAll(/rn|vv|cl/g, (pair) => digraphs[pair] ?? pair);
}
