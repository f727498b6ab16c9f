import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemOfShownName } from '#lib/text/display-name.ts';
import { assertDisplayName, assertPersonName, passesForSomebody } from '#modules/reserved-names';
import { authorities, banks } from '../../../src/modules/reserved-names/institutions.ts';
import { firstNames, lastNames, listed, repetitions } from '../../support/cases.ts';

describe('a name that people are shown', () => {
  it.each(listed`
    Ọlá | Ṣọlá Adébáyọ̀ | Ńgọ́zị | Ǹkẹ́chí Ọ̀kọ̀nkwọ̀ | Ɗanjuma | Ƙofar Ƴan Ɓauchi | Yar'Adua | Yarʼadua
    Sa’adatu | Adetokunbo-Ọláníyan | Ẹ̀fẹ́ Ovwigho | Kǝnǝm Kanuri | Ŋaŋa Ɛwɛ | Ẹ̩dó O̩ba | محمد بُهَارِي
    عائشة ڟ | أبو بكر-عثمان | موقع السوق | شركة ٢٤ | Søren Łukasz Müller-Þór | Dr.Ahmed Bello
    J.Okafor & Sons (Nig.) Ltd. | A.B.C. Stores | 9mobile | Mama Put Kitchen, Surulere: 24/7
    Acme + Co. – “The Shop”… | ₦ Naira House | Café Ọjà 50%
  `)('may be %s', (name) => {
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

  it.each(listed`
    https://evil.example | Acme http://x | www.evil.ng | WWW.evil | evil.com | Pay at bit.ly/x
    PAYTAG-HELP.COM.NG | Acme (acme.io) | mail ada@acme.africa | 10.0.0.1 Bank | Acme.Online | evil .com
    موقع.شبكة | x.xn--p1ai | evil·com | http//evil | http:evil | https:/evil | HTTP\\\\evil | localhost:3000 | localhost
    evil:8080 | evil9:8080 | javascript:alert(1) | mailto:ada | x@y.zz | Acme (ada@acme.zz) | shop.example | acme.local
    tel:ada | evil．test
  `)('holds no web address: %s', (name) => {
    expect(problemOfShownName(name)).toBeDefined();
  });

  it.each(listed`
    Call 08031234567 | Call 0803 123 4567 | Acme +234-803-123-4567 | Acme (0803) 123.4567 | Acme O8O3l234567
    Acme 0800 PAY 08001234567 | Acme ٠٨٠٣١٢٣٤٥٦٧ | Dial *737# | Acme *737*1*500# | Acme 01-234 5678 | Acme 2348031234567a
  `)('holds no number to call: %s', (name) => {
    expect([name, problemOfShownName(name)]).toEqual([name, expect.stringMatching(/number to call|Latin or Arabic/)]);
  });

  it.each(listed`
    John 3:16 Bookshop | Psalm 23:10 Ventures | Open 8:00-20:00 | Suya@Night | Est. 1999-2024 Foods | RC 1234567 Ltd
    File/Print Shop | Data: Services | Shop 12, Block 4, Line 7 | 7/11 Stores | 1960-10-01 Foods | 01.10.1960 Foods | Mobile 24-7-365
  `)('may hold other digits and signs: %s', (name) => {
    expect([name, problemOfShownName(name)]).toEqual([name, undefined]);
  });

  it.each(['', '12345', '08031234567', '---', '٢٤'])('has a letter, unlike %j', (name) => {
    expect(problemOfShownName(name)).toBeDefined();
  });

  it('is no longer than anybody’s', () => {
    for (const part of ['a', 'a\u0301', '.a', ' ']) expect(problemOfShownName(part.repeat(501))).toMatch(/at most 500/);
  });
});

const person = fc.record({
  firstName: fc.constantFrom(...firstNames),
  otherName: fc.option(fc.oneof(fc.constantFrom(...firstNames), fc.constantFrom('B.', 'C. N.', 'C. B. N.')), {
    nil: undefined,
  }),
  lastName: fc.constantFrom(...lastNames),
});
const refused = expect.objectContaining({ code: 'NAME_RESERVED' });

/** What passes for a letter at a glance: accents, other scripts, digits. */
const disguises: Record<string, string[]> = {
  a: ['á', '\u0430', '4', '@', '\uff41'],
  e: ['é', '\u0435', '3', '\u{1d5be}'],
  i: ['í', '\u0456', '1'],
  o: ['ọ', '\u043e', '0'],
  s: ['ṣ', '\u0455', '5', '$'],
  c: ['\u0441', '\uff43'],
  b: ['8', '\u{1d41b}'],
  n: ['ñ', '\u0274'],
  p: ['\u0440', '\u03c1'],
  y: ['\u0443'],
  t: ['7', '\u0442'],
  g: ['9', '\u0261'],
};
/** The same name at a glance: other letters, another case, invisible characters, other separators. */
const disguised = (name: string) =>
  fc.array(fc.nat(9), { minLength: name.length, maxLength: name.length }).map((picks) =>
    Array.from(name.toLowerCase(), (letter, at) => {
      const pick = picks[at] ?? 0;
      const ways = disguises[letter] ?? [];
      if (letter === ' ') return [' ', '  ', '-', '_', '.', ' \u200b'][pick % 6];
      const drawn = ways[pick] ?? letter;
      return pick === 9 ? `${drawn.toUpperCase()}\u200d` : drawn;
    }).join(''),
  );

describe('an ordinary name', () => {
  it('of a person passes, whether the register confirmed it or not', () => {
    fc.assert(
      fc.property(person, (names) => {
        expect(() => assertPersonName(names, { confirmed: true })).not.toThrow();
        expect(() => assertPersonName(names)).not.toThrow();
      }),
      { numRuns: repetitions({ short: 300, soak: 10_000 }) },
    );
    assertDisplayName('Unity Bank-Anthony');
    assertDisplayName('Chidi Uba');
  });

  it.each(listed`
    Acme | City Bikes | Market | Ọjà Online | Pay As You Go | Easy Payments | Mama Put Kitchen | Food Bank Lagos
    Blood Bank Finder | Tagging Tools | Firstly | Kudos | Access Banking Apps | موقع السوق | Ecofarm
    Nigeria Eats | Visa Application Helpers | Carbon Offsets | Customer Loyalty | Security Camera Shop
  `)('of an application passes: %s', (name) => expect(passesForSomebody(name)).toBe(false));
});

describe('a look-alike', () => {
  it('of our own name stands nowhere in another', () => {
    const ours = fc.tuple(
      fc.constantFrom('', 'The ', 'Official ', 'My', 'Get '),
      fc.constantFrom('paytag', 'pay tag', 'p a y t a g', 'Pay-Tag').chain(disguised),
      fc.constantFrom('', ' Team', ' Verification', ' HQ', ' 24/7', 'Support'),
    );
    fc.assert(
      fc.property(ours, (parts) => {
        expect([parts.join(''), passesForSomebody(parts.join(''))]).toEqual([parts.join(''), true]);
      }),
    );
  });

  it('of an institution is refused to an application, with something before or behind it', () => {
    const institution = fc.tuple(
      fc.constantFrom('', 'The ', 'Official '),
      fc.constantFrom(...authorities, ...banks).chain(disguised),
      fc.constantFrom('', ' Nigeria', ' Team', ' (Verified)'),
    );
    fc.assert(
      fc.property(institution, (parts) => {
        expect([parts.join(''), passesForSomebody(parts.join(''))]).toEqual([parts.join(''), true]);
      }),
      { numRuns: repetitions({ short: 200, soak: 2000 }) },
    );
  });

  it('of an authority is refused to a person, also one of whom the register knows first and last name', () => {
    const other = fc.tuple(fc.constantFrom('(', '', '- '), fc.constantFrom(...authorities).chain(disguised));
    fc.assert(
      fc.property(person, other, (names, parts) => {
        expect(() => assertPersonName({ ...names, otherName: parts.join('') }, { confirmed: true })).toThrow(refused);
      }),
    );
  });

  it.each(listed`
    CentralBankOfNigeria | Central Bank Nigeria | C.B.N. | E F C C | CBN | Zenith Bank Plc | GTBank Support
    UBA | MTN MoMo | Carbon | Visa Support | Federal Road Safety Corps | Account Verification
    Refund Department | Customer Care | Security Alert
  `)('is refused to an application: %s', (name) => expect(passesForSomebody(name)).toBe(true));

  it.each(listed`
    Central Bank of Nigeria | EFCC | PayTag | Zenith Bank | Pay Tag Refunds | C.B.N. | GTBank | OPay | Ecobank
    Kuda | Kuda Support | MTN Nigeria | Flutterwave | GTB | Mastercard | Support | Official | Verification
    Verified ✔ | Ａdmin | Police | Helpdesk | Refund Desk | Customer Care | Federal Govt
  `)('is refused as a name that no register confirmed, whole or beside names that one did: %s', (name) => {
    expect(() => assertDisplayName(name)).toThrow(refused);
    if (name === 'Kuda' || name === 'C.B.N.') return; // beside other names people are called so, or have these initials
    const names = { firstName: 'Ada', otherName: name, lastName: 'Obi' };
    expect(() => assertPersonName(names, { confirmed: true })).toThrow(refused);
  });
});

it('a person whom the register calls so is taken by any first and last name but ours and an authority’s', () => {
  for (const [firstName, lastName] of [
    ['Kuda', 'Support'],
    ['Police', 'Opay'],
    ['Official', 'Gtb'],
  ]) {
    expect(() => assertPersonName({ firstName, lastName }, { confirmed: true })).not.toThrow();
    expect(() => assertPersonName({ firstName, lastName })).toThrow(refused);
  }
});

it('a person whom the register calls so has the name of a bank in first and last name, and not beside them', () => {
  assertPersonName({ firstName: 'Unity', lastName: 'Bank' }, { confirmed: true });
  expect(() => assertPersonName({ firstName: 'Unity', lastName: 'Bank' })).toThrow(refused);
  const beside = { firstName: 'Ada', otherName: 'Zenith Bank', lastName: 'Obi' };
  expect(() => assertPersonName(beside, { confirmed: true })).toThrow(refused);
});
