import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { escapeHtml, html } from '#lib/html.ts';
import { exactValue } from '#lib/minor-units.ts';
import { cleaned, maskProse } from '#lib/text/output.ts';
import { labelOf } from '../../src/routes/console/catalogue/words.ts';
import { fileBody } from '../../src/routes/operator/reconciliation.ts';
import { english } from '../../src/routes/pages/messages/en.ts';
import { languageFor, readLanguages, textsOf } from '../../src/routes/pages/texts.ts';
import { jsonMs, threadMs } from '../support/log.ts';
import { anyText, faultsOf, pseudoLanguage } from '../support/texts.ts';

const FILES = new URL('../../src/routes/pages/messages/', import.meta.url);
const languages = new Map(['en', 'ha', 'fr-CA', 'zh-Hant'].map((tag) => [tag.toLowerCase(), textsOf(tag)]));
const chosen = (header?: string) => languageFor(languages, header).language;

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['ha', 'ha'],
    ['HA-ng', 'ha'],
    ['yo, ha;q=0.8, en;q=0.5', 'ha'],
    ['en;q=0.5, ha;q=0.501', 'ha'],
    ['ha;q=0, en', 'en'],
    ['ha; q=0.3 , fr-CA ;q=0.7', 'fr-CA'],
    ['fr', 'fr-CA'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['yo, *;q=0.5', 'en'],
    ['ha;q=2, x;q=y, ;;;, "', 'en'],
    [`${'x,'.repeat(10_000)}ha`, 'en'],
  ])('for Accept-Language %j is %s', (header, language) => {
    expect(chosen(header?.slice(0, 20_000))).toBe(language);
  });
});

describe('a text', () => {
  const t = textsOf('en-NG');

  it('escapes the values that it takes, and lets markup through', () => {
    expect(t.html('pay.heading', { name: '<b> & "c"' }).text).toBe('Pay &lt;b&gt; &amp; &quot;c&quot;');
    expect(t.html('pay.heading', { name: html`<bdi>${'<'}</bdi>` }).text).toBe('Pay <bdi>&lt;</bdi>');
    expect(t.text('pay.heading', { name: '{name} $& <b>' })).toBe('Pay {name} $& <b>');
  });

  it('counts by the plural rules of its language, in its numerals, and tells times as it does', () => {
    expect([1, 4].map((count) => t.text('approval.attemptsLeft', { count }))).toEqual([
      'One attempt is left.',
      '4 attempts are left.',
    ]);
    const polish = textsOf('pl', {
      'approval.attemptsLeft': { one: '{count} a', few: '{count} b', many: '{count} c', other: 'd' },
    });
    expect([1, 3, 5].map((count) => polish.text('approval.attemptsLeft', { count }))).toEqual(['1 a', '3 b', '5 c']);
    expect(textsOf('ar-EG', { 'approval.attemptsLeft': '{count}' }).text('approval.attemptsLeft', { count: 3 })).toBe(
      '٣',
    );
    expect([1, 119, 121, 7_200].map((seconds) => t.duration(seconds))).toEqual([
      '1 second',
      '119 seconds',
      '3 minutes',
      '2 hours',
    ]);
    expect(textsOf('de').duration(60)).toBe('60 Sekunden');
    const at = new Date('2026-11-22T08:05:00Z');
    expect(t.moment(at)).toBe('Sunday, 22 November 2026 at\u00A009:05');
    expect(textsOf('fr').moment(at)).toBe('dimanche 22 novembre 2026 à\u00A009:05');
  });

  it('that a language lacks is said in English', () => {
    const polish = textsOf('pl', { 'home.title': 'Witamy' });
    expect(polish.text('home.title')).toBe('Witamy');
    expect(polish.text('approval.attemptsLeft', { count: 1 })).toBe('One attempt is left.');
  });
});

describe('a message file', () => {
  it('of every language that is shipped lacks nothing, says nothing unknown, and takes the values of the English', () => {
    const shipped = readdirSync(FILES).filter((file) => file.endsWith('.json'));
    for (const file of shipped) {
      const faults = faultsOf(file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, FILES), 'utf8')));
      expect([file, ...faults]).toEqual([file]);
    }
    const tags = shipped.map((file) => file.replace('.json', '').toLowerCase());
    expect(new Set(readLanguages().keys())).toEqual(new Set(['en', ...tags]));
  });

  it('that lacks a key, a plural form or a value is found, by its key', () => {
    const { 'home.title': _, ...rest } = pseudoLanguage();
    const counting = Object.entries(english).flatMap(([key, said]) => (typeof said === 'string' ? [] : [key]));
    expect(counting).toContain('verify.lines.count');
    const translation = { ...rest, 'pay.heading': 'Pay', 'home.titel': 'Welcome' };
    expect(faultsOf('en-XA', pseudoLanguage())).toEqual([]);
    expect(faultsOf('pl', translation)).toEqual([
      'unknown: home.titel',
      'missing: home.title',
      'other places: pay.heading',
      ...counting.flatMap((key) => [`missing: ${key}, few`, `missing: ${key}, many`]),
    ]);
  });
});

it.each([
  ['an escape sequence', 'pay \u001b[31mnow\u001b[0m', 'pay [31mnow[0m'],
  ['one of eight bits', 'pay\u009b2J', 'pay2J'],
  ['a title of a terminal', 'a\u001b]0;root\u0007b', 'a]0;rootb'],
  ['text turned round', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['isolates', 'a\u2066b\u2069c\u2067d\u2068', 'abcd'],
  ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
  ['what nobody sees', 'a\u200bb\u00adc\u2060d\ufeffe\u3164f\u{e0041}g\u115fh', 'abcdefgh'],
  ['annotations', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ['noughts, bells and deletes', 'a\u0000b\u0007c\u007fd\bd', 'abcdd'],
  ['line ends of every kind', 'a\r\nb\rc\u2028d\u2029e\u0085f', 'a\nb\nc\nd\ne\nf'],
  ['half a character', 'a\ud83d b', 'a\ufffd b'],
  ['a heap of marks', `a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(4)}b`],
])('%s does nothing to whoever looks at it', (_, text, shown) => {
  expect(cleaned(text)).toBe(shown);
  expect(escapeHtml(text)).toBe(shown);
});

it.each(['Ẹ̀kọ́ àti ìṣẹ́', 'مرحبا', '👩‍👩‍👧 👍🏽 ☎️', 'नमस्ते', 'می‌خواهم', 'two\nlines\tand a tab', 'ADA OBI & Sons <b>'])(
  'what people write stays: %s',
  (text) => expect(cleaned(text)).toBe(text),
);

it('a text that is clean stays so, and nothing that acts is left', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const once = cleaned(text);
      expect(cleaned(once)).toBe(once);
      expect(once).not.toMatch(/[^\P{Cc}\n\t]|[\p{Bidi_C}\u2028\u2029]/u);
    }),
  );
});

const shipped = readLanguages();
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

let mebibyteMs = 0;
beforeAll(async () => {
  mebibyteMs = await jsonMs();
});
describe.each([
  ['Accept-Language', 15 * KIB, (text: string) => languageFor(shipped, text)],
  ['Accept-Language of one range', 15 * KIB, (text: string) => languageFor(shipped, `en${text}x`)],
  ['a bank file in Base64', 64 * KIB, bank],
  ['a bank file that ends in what is no Base64', 64 * KIB, (text: string) => bank(`${text}!`)],
  ['prose that is masked', 32 * KIB, maskProse],
  ['a number', 32 * KIB, (text: string) => exactValue(`1.${text}1`)],
  ['the name of a member', 4 * KIB, labelOf],
])('%s', (_what, length, read) => {
  it.each(shapes)('is read in time that grows as it does, of %j alone', async (shape) => {
    const text = times(length, shape);
    read(text);
    expect(await threadMs(() => read(text))).toBeLessThan(6 * mebibyteMs);
  });
});
