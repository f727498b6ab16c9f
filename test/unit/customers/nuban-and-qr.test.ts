import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMV_AMOUNT_MAX, emvPayload } from '../../../src/modules/customers/pay-tag-qr.ts';
import { checkDigit, nubanOf } from '../../../src/modules/wallets/open-wallet.ts';
import { crcOf, readEmv, readObjects } from '../../support/emv.ts';

const serial = fc.integer({ min: 0, max: 999_999_999 });
const code = fc.oneof(fc.stringMatching(/^\d{3}$/), fc.stringMatching(/^\d{6}$/));

/** The verification of the standard: the weighted sum of all digits, the check digit with weight 1, is a multiple of ten. */
const weightedSum = (institution: string, nuban: string) =>
  Array.from(institution.padStart(6, '0') + nuban)
    .map((digit, index) => Number(digit) * (index === 15 ? 1 : [3, 7, 3][index % 3]!))
    .reduce((sum, term) => sum + term, 0);

describe('a Nuban', () => {
  it('has the check digit of the worked example in the CBN standard', () => {
    expect(checkDigit('011', '000001457')).toBe('9');
    expect(nubanOf('011', 1457)).toBe('0000014579');
  });

  it('has ten digits that verify, for every bank and other institution', () => {
    fc.assert(
      fc.property(code, serial, (institution, number) => {
        const nuban = nubanOf(institution, number);
        expect(nuban).toMatch(/^\d{10}$/);
        expect(weightedSum(institution, nuban) % 10).toBe(0);
      }),
    );
  });

  it('no longer verifies when one digit is mistyped', () => {
    fc.assert(
      fc.property(code, serial, fc.nat(9), fc.integer({ min: 1, max: 9 }), (institution, number, at, by) => {
        const nuban = nubanOf(institution, number);
        const typed = `${nuban.slice(0, at)}${(Number(nuban[at]) + by) % 10}${nuban.slice(at + 1)}`;
        expect(weightedSum(institution, typed) % 10).not.toBe(0);
      }),
    );
  });

  it('is never given out past the last serial number', () => {
    expect(() => nubanOf('011', 1_000_000_000)).toThrow(RangeError);
  });
});

const institution = {
  schemeId: 'ng.nqr.example',
  institutionId: '999058',
  merchantCategoryCode: '4829',
  city: 'Lagos',
};
const read = (name: string, amount?: bigint, handle = 'ada') =>
  readEmv(emvPayload(institution, { handle, name, amount }));

it('the parser’s checksum is that of the catalogue of CRCs and of EMVCo’s own example', () => {
  expect(crcOf('123456789')).toBe(0x29b1);
  const example =
    '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304';
  expect(crcOf(Buffer.from(example, 'utf8').toString('latin1'))).toBe(0xa13a);
});

describe('a payload', () => {
  it('says scheme, institution, PayTag, currency, country, name and city', () => {
    const objects = read('Ada Obi');
    expect(objects).toMatchObject({
      '00': '01',
      '01': '11',
      52: '4829',
      53: '566',
      58: 'NG',
      59: 'Ada Obi',
      60: 'Lagos',
    });
    expect(readObjects(objects['26'] ?? '')).toEqual({ '00': 'ng.nqr.example', '01': '999058', '02': 'ada' });
    expect(objects['54']).toBeUndefined();
  });

  it('with an amount is for that amount', () => {
    for (const [amount, text] of [
      [1n, '0.01'],
      [150_050n, '1500.50'],
      [EMV_AMOUNT_MAX, '9999999999.99'],
    ] as const) {
      expect(read('Ada', amount)).toMatchObject({ '01': '12', 54: text });
    }
  });

  it('writes names in ASCII, in 25 characters; a name without a letter of it is the PayTag', () => {
    const names = ['Ṣadé Ọbí', 'Ɗanjuma Ƙofa', 'O’Neil  Æsir', 'Chukwuemeka Oluwaseun Adebayo', '李小龍', 'אדה'];
    expect(names.map((name) => read(name)['59'])).toEqual([
      'Sade Obi',
      'Danjuma Kofa',
      "O'Neil AEsir",
      'Chukwuemeka Oluwaseun Ade',
      'ada',
      'ada',
    ]);
  });

  it('can be read whatever the name, the amount and the longest values of the scheme', () => {
    const longest = {
      schemeId: 'S'.repeat(32),
      institutionId: 'I'.repeat(20),
      merchantCategoryCode: '0000',
      city: 'C'.repeat(15),
    };
    const amounts = fc.option(fc.bigInt({ min: 1n, max: EMV_AMOUNT_MAX }), { nil: undefined });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), amounts, (name, amount) => {
        const payload = emvPayload(longest, { handle: 'h'.repeat(30), name, amount });
        expect(payload).toMatch(/^[\x20-\x7e]+$/);
        expect(readEmv(payload)['59']?.length).toBeLessThanOrEqual(25);
      }),
    );
  });
});
