import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertDisplayName, assertPersonName, passesForSomebody } from '#modules/reserved-names';
import { authorities, banks } from '../../src/modules/reserved-names/institutions.ts';
import { firstNames, lastNames } from '../support/nigerian-names.ts';

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
      { numRuns: 2000 },
    );
    assertDisplayName('Unity Bank-Anthony');
    assertDisplayName('Chidi Uba');
  });

  it.each([
    'Acme',
    'City Bikes',
    'Market',
    'Ọjà Online',
    'Pay As You Go',
    'Easy Payments',
    'Mama Put Kitchen',
    'Food Bank Lagos',
    'Blood Bank Finder',
    'Tagging Tools',
    'Firstly',
    'Kudos',
    'Access Banking Apps',
    'موقع السوق',
    'Ecofarm',
    'Nigeria Eats',
    'Visa Application Helpers',
    'Carbon Offsets',
    'Customer Loyalty',
    'Security Camera Shop',
  ])('of an application passes: %s', (name) => expect(passesForSomebody(name)).toBe(false));
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
      { numRuns: 500 },
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

  it.each([
    'CentralBankOfNigeria',
    'Central Bank Nigeria',
    'C.B.N.',
    'E F C C',
    'CBN',
    'Zenith Bank Plc',
    'GTBank Support',
    'UBA',
    'MTN MoMo',
    'Carbon',
    'Visa Support',
    'Federal Road Safety Corps',
    'Account Verification',
    'Refund Department',
    'Customer Care',
    'Security Alert',
  ])('is refused to an application: %s', (name) => expect(passesForSomebody(name)).toBe(true));

  it.each([
    'Central Bank of Nigeria',
    'EFCC',
    'PayTag',
    'Zenith Bank',
    'Pay Tag Refunds',
    'C.B.N.',
    'GTBank',
    'OPay',
    'Ecobank',
    'Kuda',
    'Kuda Support',
    'MTN Nigeria',
    'Flutterwave',
    'GTB',
    'Mastercard',
    'Support',
    'Official',
    'Verification',
    'Verified ✔',
    'Ａdmin',
    'Police',
    'Helpdesk',
    'Refund Desk',
    'Customer Care',
    'Federal Govt',
  ])('is refused as a name that no register confirmed, whole or beside names that one did: %s', (name) => {
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
