import { describe, expect, it } from 'vitest';
import { maskProse } from '#lib/mask.ts';
import { exactValue } from '#lib/minor-units.ts';
import { labelOf } from '../../../src/routes/console/catalogue/words.ts';
import { fileBody } from '../../../src/routes/operator/shapes/bank-file.ts';
import { languageFor, readLanguages } from '../../../src/routes/pages/languages.ts';

const languages = readLanguages();
const KIB = 1024;
const times = (length: number, text: string): string => text.repeat(length / text.length);

/** What a text is made of, each a way to have an ambiguous pattern try again and again. */
const shapes = [
  'a',
  ' ',
  '\t',
  '0',
  '\n',
  'A ',
  '1 ',
  '\u0301',
  '-',
  '"\'',
  '([',
  '\\',
  'ab',
  '=',
  '.0',
  '@',
  '<!--',
  '_PORT',
];

const bank = (content: string) => fileBody.safeParse({ rail: 'BANK', format: 'MT940', content, encoding: 'base64' });

describe.each([
  ['Accept-Language', 15 * KIB, (text: string) => languageFor(languages, text)],
  ['Accept-Language of one range', 15 * KIB, (text: string) => languageFor(languages, `en${text}x`)],
  ['a bank file in Base64', 64 * KIB, bank],
  ['a bank file that ends in what is no Base64', 64 * KIB, (text: string) => bank(`${text}!`)],
  ['prose that is masked', 32 * KIB, maskProse],
  ['a number', 32 * KIB, (text: string) => exactValue(`1.${text}1`)],
  ['the name of a member', 4 * KIB, labelOf],
])('%s', (_what, length, read) => {
  it.each(shapes)('is read in time that grows as it does, of %j alone', (shape) => {
    read(times(length, shape));
    const before = process.cpuUsage();
    read(times(length, shape));
    const { user } = process.cpuUsage(before);
    expect(user / 1_000).toBeLessThan(50);
  });
});
