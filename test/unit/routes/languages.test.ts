import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { html } from '#lib/html.ts';
import { languageFor, readLanguages } from '../../../src/routes/pages/languages.ts';
import { english } from '../../../src/routes/pages/messages/en.ts';
import { textsOf } from '../../../src/routes/pages/texts.ts';
import { faultsOf, pseudoLanguage } from '../../support/pseudo-language.ts';

const FILES = new URL('../../../src/routes/pages/messages/', import.meta.url);
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
