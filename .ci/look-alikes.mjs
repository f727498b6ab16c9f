// Writes src/modules/reserved-names/look-alikes.ts from Unicode's own data:
//   node .ci/look-alikes.mjs confusables.txt UnicodeData.txt
// as https://www.unicode.org/Public/17.0.0/security/confusables.txt and .../17.0.0/ucd/UnicodeData.txt have them.
import { readFile, writeFile } from 'node:fs/promises';

const [confusables, unicodeData] = await Promise.all(process.argv.slice(2, 4).map((file) => readFile(file, 'utf8')));
const version = /^# Version: (\S+)$/m.exec(confusables)?.[1];
if (version === undefined) throw new Error('the first file is not confusables.txt');

const textOf = (codes) => String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
const fieldsOf = (text) =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/#.*/, '')
        .split(';')
        .map((field) => field.trim()),
    );

/** What UTS 39 says that a character looks like. */
const prototypes = new Map(fieldsOf(confusables).flatMap(([from, to]) => (to ? [[textOf(from), textOf(to)]] : [])));

/** Letters that are a Latin one by their name, which UTS 39 leaves out: with a hook or a stroke, turned, small capitals, squared, flags. */
const LATIN =
  /^LATIN (?:SMALL|CAPITAL) LETTER (?:(?:SMALL CAPITAL|OPEN|REVERSED|SIDEWAYS|SCRIPT|BLACKLETTER|INSULAR|DOTLESS|CLOSED|TAILLESS|LONG) )*([A-Z])(?: WITH .+)?$/;
const SMALL_CAPITAL = /^LATIN LETTER (?:SMALL CAPITAL |REVERSED )+([A-Z])(?: WITH .+)?$/;
const ENCLOSED =
  /(?:^|NEGATIVE |OUTLINED )(?:SQUARED |CIRCLED |PARENTHESIZED |TORTOISE SHELL BRACKETED |OUTLINED )?LATIN (?:CAPITAL|SMALL) LETTER ([A-Z])$/;
const FLAG = /^REGIONAL INDICATOR SYMBOL LETTER ([A-Z])$/;
const SCHWA = /^LATIN (?:SMALL|CAPITAL) LETTER SCHWA$/;
const names = new Map(
  fieldsOf(unicodeData).flatMap(([code, name]) => {
    const letter = [LATIN, SMALL_CAPITAL, ENCLOSED, FLAG].map((pattern) => pattern.exec(name ?? '')?.[1]).find(Boolean);
    const found = SCHWA.test(name ?? '') ? 'E' : letter;
    return found === undefined ? [] : [[textOf(code), found]];
  }),
);

const isAscii = (character) => /^\p{ASCII}$/u.test(character);
/** No chain of look-alikes is so long. */
const DEEP = 8;

/** ASCII letters and digits, lower-cased, that a text looks like. */
const bare = (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
const latin = (text, depth = 0) =>
  Array.from(bare(text), (character) => {
    if (isAscii(character) || depth > DEEP) return character;
    const next = names.get(character) ?? prototypes.get(character);
    return next === undefined || next === character ? character : latin(next, depth + 1);
  })
    .join('')
    .replaceAll(/(?=\p{ASCII})[^a-z0-9]/gu, '');

const byTarget = new Map();
for (const character of new Set([...prototypes.keys(), ...names.keys()])) {
  // What a word of Arabic looks like is no Latin; what looks as its parts do is looked up by these.
  if (isAscii(character) || /\p{M}|\p{scx=Arabic}/u.test(character)) continue;
  const looks = latin(names.get(character) ?? prototypes.get(character));
  const decomposed = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  if (!/^[a-z0-9]{1,4}$/.test(looks) || (decomposed !== character && latin(decomposed) === looks)) continue;
  byTarget.set(looks, [...(byTarget.get(looks) ?? []), character]);
}

const escaped = (characters) =>
  characters
    .toSorted((one, other) => one.codePointAt(0) - other.codePointAt(0))
    .map((character) => `\\u{${character.codePointAt(0).toString(16)}}`)
    .join('');
const rows = [...byTarget]
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([looks, characters]) => `  ${/^\d/.test(looks) ? `'${looks}'` : looks}: '${escaped(characters)}',`);
await writeFile(
  new URL('../src/modules/reserved-names/look-alikes.ts', import.meta.url),
  `/**
 * Characters that look like Latin letters or digits, by what they look like: Unicode ${version}, from the prototypes of UTS 39
 * (confusables.txt) and from the names of letters. \`.ci/look-alikes.mjs\` writes it.
 *
 * Copyright © 1991-2025 Unicode, Inc., under the Unicode License v3 (https://www.unicode.org/license.txt).
 */
export const lookAlikes: Readonly<Record<string, string>> = {
${rows.join('\n')}
};
`,
);
