import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsNames, nameWords } from '#lib/text/name-match.ts';
import { isNamedAfter } from '../../../src/modules/payouts/bank-accounts.ts';
import { jsonMs, threadMs } from '../../support/log.ts';
import { anyText } from '../../support/texts.ts';

const named = (firstName: string, lastName: string) => ({ firstName, lastName });

describe('an account is a person’s', () => {
  it.each([
    ['OBI ADA', 'Ada', 'Obi'],
    ['OBI, ADA NGOZI', 'Ada', 'Obi'],
    ['Mrs. Ada Ngozi OBI (Savings)', 'ada', 'obi'],
    ['ABUBAKAR MUSA IBRAHIM', 'Ibrahim', 'Abubakar'],
    ['OLÚWÁṢẸ́GUN ADÉ', 'Oluwasegun', 'Ade'],
    ['OLUWASEGUN ADE', 'Olúwáṣẹ́gun', 'Adé'],
    ['DANDAGO KABIRU', 'Ƙabiru', 'Ɗandago'],
    ['ADE-OJO BOLA', 'Bola', 'Ade Ojo'],
    ['BOLA ADEOJO', 'Bola', 'Ade-Ojo'],
    ['ADE OJO BOLA', 'Bola', 'Adeojo'],
    ['OJO BOLA ADE', 'Bola', 'Ade-Ojo'],
    ['O’NEIL CHIDI', 'Chidi', "O'Neil"],
    ['ONEIL CHIDI', 'Chidi', 'O`Neil'],
    ['MARY-JANE EZE', 'Mary Jane', 'Eze'],
    ['MUSA MUSA', 'Musa', 'Musa'],
    ['COMPANY ADA', 'Ada', 'Company'],
    ['STRASSE ADA', 'Ada', 'Straße'],
  ])('%s is that of %s %s', (accountName, firstName, lastName) => {
    expect(isNamedAfter(accountName, named(firstName, lastName))).toBe(true);
  });
});

describe('an account is somebody else’s', () => {
  it.each([
    ['OBI NGOZI', 'Ada', 'Obi'],
    ['ADA OKAFOR', 'Ada', 'Obi'],
    ['OBI A', 'Ada', 'Obi'],
    ['OBIADA', 'Ada', 'Obi'],
    ['OBINNA ADAEZE', 'Ada', 'Obi'],
    ['MUSA IBRAHIM', 'Musa', 'Musa'],
    ['BOLA OJO', 'Bola', 'Ade-Ojo'],
    ['ADE OJO', 'Ade', 'Ade-Ojo'],
    ['', 'Ada', 'Obi'],
    ['  -.- ', 'Ada', 'Obi'],
    ['ADA OBI', "''", 'Obi'],
    ['ADA OBI AND BOLA ADE', 'Ada', 'Obi'],
    ['OBI ADA & BOLA', 'Ada', 'Obi'],
    ['ADA OBI VENTURES', 'Ada', 'Obi'],
    ['Obi Ada Nig. Ltd', 'Ada', 'Obi'],
  ])('%s is not that of %s %s', (accountName, firstName, lastName) => {
    expect(isNamedAfter(accountName, named(firstName, lastName))).toBe(false);
  });
});

describe('a name whose words repeat', () => {
  const times = (word: string, count: number) => Array.from({ length: count }, () => word).join(' ');

  it.each([
    [`${times('A', 15)} B`, times('A', 8), times('A', 8), false],
    [times('A', 16), times('A', 8), times('A', 8), true],
    [times('AA', 8), times('A', 8), times('A', 8), true],
    [`${times('AB', 7)} A A`, times('A B', 4), times('B A', 4), false],
    [times('AB', 8), times('A B', 4), times('A B', 4), true],
    [`${times('A', 15)} B`, times('AA', 7), 'C', false],
    [`OBI ADA ${times('A', 14)}`, 'Ada', 'Obi', true],
    [`OBI ADA ${times('A', 15)}`, 'Ada', 'Obi', false], // of more than 16 words no match is looked for
    ['ADE OBI OJO', 'Obi', 'Adeojo', false],
    ['OBI ADE OJO', 'Obi', 'Adeojo', true],
  ])('%s, of %s and %s: %s, in bounded steps', async (accountName, firstName, lastName, expected) => {
    const tookMs = await threadMs(() => {
      expect(isNamedAfter(accountName, named(firstName, lastName))).toBe(expected);
    });
    expect(tookMs).toBeLessThan(6 * (await jsonMs()));
  });

  it('and so do its letters, in names that fit almost', async () => {
    const [account, wanted] = [nameWords(times('A', 16)), [1, 1, 1, 2, 2, 2, 3].map((count) => ['A'.repeat(count)])];
    const tookMs = await threadMs(() => {
      expect(holdsNames(account, wanted)).toBe(true);
      expect(holdsNames(account, [...wanted, ['C']])).toBe(false);
    });
    expect(tookMs).toBeLessThan(6 * (await jsonMs()));
  });
});

describe('for any names', () => {
  const word = fc.stringMatching(/^[a-z]{2,9}$/).filter((text) => !/^(and|ltd|plc|llc|inc)$/.test(text));
  const person = fc.record({ firstName: word, lastName: word });
  /** A letter as another bank would write it. */
  const letter = (plain: string) =>
    fc
      .tuple(fc.constantFrom(plain, plain.toUpperCase()), fc.constantFrom('', '', '\u0301', '\u0323', '\u0300'))
      .map((parts) => parts.join(''));
  const written = (plain: string) =>
    fc
      .tuple(fc.tuple(...Array.from(plain, letter)), fc.boolean())
      .map(([letters, composed]) => (composed ? letters.join('').normalize('NFC') : letters.join('')));
  const separator = fc.constantFrom(' ', ', ', '-', '. ', ' / ', '\u00a0', '  ');

  it('order, case, accents, punctuation and further names make no difference', () => {
    const account = fc.tuple(person, fc.array(word, { maxLength: 3 }), separator).chain(([who, others, between]) =>
      fc
        .shuffledSubarray([who.firstName, who.lastName, ...others], { minLength: others.length + 2 })
        .chain((words) => fc.tuple(...words.map(written)))
        .map((words) => ({ who, accountName: words.join(between) })),
    );
    fc.assert(
      fc.property(account, ({ who, accountName }) => {
        expect(isNamedAfter(accountName, who)).toBe(true);
      }),
    );
  });

  it('an account without one of them is never the person’s', () => {
    const other = fc.tuple(person, fc.array(fc.stringMatching(/^[A-Z]{10,14}$/), { maxLength: 4 }), fc.boolean());
    fc.assert(
      fc.property(other, ([who, others, first]) => {
        const kept = first ? who.firstName : who.lastName;
        expect(isNamedAfter([kept, ...others].join(' '), who)).toBe(false);
      }),
    );
  });

  it('any text at all has an answer, soon', () => {
    const text = anyText({ maxLength: 200 });
    const many = fc.tuple(fc.constantFrom('a ', 'a-', 'aa '), fc.nat(200)).map(([part, times]) => part.repeat(times));
    const any = fc.oneof(text, many);
    fc.assert(
      fc.property(any, any, any, (accountName, firstName, lastName) => {
        expect(typeof isNamedAfter(accountName, { firstName, lastName })).toBe('boolean');
      }),
    );
  });
});
