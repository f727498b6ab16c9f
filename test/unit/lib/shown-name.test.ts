import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemOfShownName } from '#lib/shown-name.ts';
import { firstNames, lastNames } from '../../support/nigerian-names.ts';

describe('a name that people are shown', () => {
  it.each([
    'Ọlá',
    'Ṣọlá Adébáyọ̀',
    'Ńgọ́zị',
    'Ǹkẹ́chí Ọ̀kọ̀nkwọ̀',
    'Ɗanjuma',
    'Ƙofar Ƴan Ɓauchi',
    "Yar'Adua",
    'Yarʼadua',
    'Sa’adatu',
    'Adetokunbo-Ọláníyan',
    'Ẹ̀fẹ́ Ovwigho',
    'Kǝnǝm Kanuri',
    'Ŋaŋa Ɛwɛ',
    'Ẹ̩dó O̩ba',
    'محمد بُهَارِي',
    'عائشة ڟ',
    'أبو بكر-عثمان',
    'موقع السوق',
    'شركة ٢٤',
    'Søren Łukasz Müller-Þór',
    'Dr.Ahmed Bello',
    'J.Okafor & Sons (Nig.) Ltd.',
    'A.B.C. Stores',
    '9mobile',
    'Mama Put Kitchen, Surulere: 24/7',
    'Acme + Co. – “The Shop”…',
    '₦ Naira House',
    'Café Ọjà 50%',
  ])('may be %s', (name) => {
    expect([name, problemOfShownName(name)]).toEqual([name, undefined]);
    expect(problemOfShownName(name.normalize('NFD'))).toBeUndefined();
  });

  it('may be any name that Nigerians have', () => {
    const name = fc.tuple(fc.constantFrom(...firstNames), fc.constantFrom(...lastNames));
    fc.assert(
      fc.property(name, (parts) => {
        expect(problemOfShownName(parts.join(' '))).toBeUndefined();
      }),
    );
  });

  it.each([
    ['Cyrillic', 'РауТаg'],
    ['Cyrillic alone', 'Сбербанк'],
    ['Greek', 'Ραy'],
    ['Cherokee', 'ᏢᎪᎩᎢᎪᏀ'],
    ['Lisu', 'ꓑꓮꓬꓔꓮꓖ'],
    ['Armenian', 'Ֆայ'],
    ['Coptic', 'ⲠⲀⲨ'],
    ['Deseret', '𐐑𐐈'],
    ['Han', '丫ay'],
    ['Hebrew', 'שלום'],
    ['Osage', '𐒴𐒰'],
    ['Adlam', '𞤀𞤣'],
    ['mathematical letters', '𝐏𝐚𝐲𝐓𝐚𝐠'],
    ['fullwidth letters', 'Ｐａｙ'],
    ['squared letters', '🄿🄰🅈'],
    ['negative squared letters', '🅿🅰🆈'],
    ['circled letters', 'Ⓟⓐⓨ'],
    ['negative circled letters', '🅟🅐🅨'],
    ['parenthesized letters', '⒫⒜⒴'],
    ['flag letters', '🇵🇦🇾'],
    ['small capitals', 'ᴘᴀʏᴛᴀɢ'],
    ['superscript letters', 'ᴾᵃʸ'],
    ['letters with hooks of no language here', 'ƤayTag'],
    ['a script g', 'payta\u0261'],
    ['a dagger', 'Pay†ag'],
    ['a cross', 'Pay✝ag'],
    ['a letter-like symbol', 'ℙay'],
    ['an emoji', 'Pay 💳'],
    ['an arrow', 'Pay→'],
    ['a click', 'ǃay'],
    ['a Roman numeral', 'Ⅿarket'],
    ['a fraction', 'Pay ½'],
    ['Devanagari digits', 'Acme १२'],
    ['Arabic digits in a Latin word', '\u0665Pay'],
    ['two scripts in a word', 'payسوق'],
    ['an enclosing mark', 'P\u20dday'],
    ['letters as marks', 'P\u0363y\u036d\u0363g'],
    ['a stroke through it', 'P\u0336a\u0336y\u0336'],
    ['a line separator', 'Pay\u2028Tag'],
    ['a tag character', 'Pay\u{e0054}'],
    ['a bidirectional mark', 'Pay\u202egaT'],
  ])('is no word of %s', (_what, name) => {
    expect([name, problemOfShownName(name)]).toEqual([name, expect.stringMatching(/Latin or Arabic/)]);
  });

  it('has four marks on a letter at most, and none without a letter', () => {
    const marked = (count: number) => `Z${'\u0301'.repeat(count)}a`;
    expect([problemOfShownName(marked(4)), problemOfShownName(marked(5))]).toEqual([
      undefined,
      expect.stringMatching(/at most 4 marks/),
    ]);
    expect(problemOfShownName(`ọ${'\u0301'.repeat(4)}`)).toMatch(/at most 4 marks/); // with the dot below it has five
    for (const name of ['\u0301Acme', ' \u0323Acme', 'Acme \u0301Pay', '-\u064eمحمد', '7\u0301 Eleven', '\u0301']) {
      expect([name, problemOfShownName(name)]).toEqual([name, expect.stringMatching(/mark|letter/)]);
    }
  });

  it.each([
    'https://evil.example',
    'Acme http://x',
    'www.evil.ng',
    'WWW.evil',
    'evil.com',
    'Pay at bit.ly/x',
    'PAYTAG-HELP.COM.NG',
    'Acme (acme.io)',
    'mail ada@acme.africa',
    '10.0.0.1 Bank',
    'Acme.Online',
    'evil .com',
    'موقع.شبكة',
    'x.xn--p1ai',
  ])('holds no web address: %s', (name) => {
    expect(problemOfShownName(name)).toBeDefined();
  });

  it.each(['', '12345', '08031234567', '---', '٢٤'])('has a letter, unlike %j', (name) => {
    expect(problemOfShownName(name)).toBeDefined();
  });

  it('is no longer than anybody’s', () => {
    for (const part of ['a', 'a\u0301', '.a', ' ']) expect(problemOfShownName(part.repeat(501))).toMatch(/at most 500/);
  });
});
