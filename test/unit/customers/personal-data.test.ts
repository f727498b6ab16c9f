import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as mask from '#lib/text/output.ts';
import {
  maskBvn,
  maskEmail,
  maskPhone,
  readBirthDate,
  readBvn,
  readEmail,
  readName,
  readPhone,
} from '#modules/customers';
import { listed } from '../../support/cases.ts';

const now = new Date('2026-03-01T12:00:00Z');
const invalid = expect.objectContaining({ code: 'INVALID_PARAMETER' });

describe('a phone', () => {
  it.each(listed`
    08031234567 | 8031234567 | 2348031234567 | +2348031234567 | 0803 123 4567 | +234 (803) 123-4567
    002348031234567 | 00 234 803 123 4567 | (00234) 803-123-4567 | 0092348031234567 | tel:+2348031234567
    TEL:+234-803-123-4567 | tel:08031234567 | tel:002348031234567
  `)('is one number, however it is written: %s', (text) => {
    expect(readPhone(text)).toBe('+2348031234567');
  });

  it('of another country keeps its country', () => {
    expect(readPhone('+447911123456')).toBe('+447911123456');
  });

  it.each([
    ...listed`
    012345678 | +442079460958 | 0803123456 | call 08031234567 now | 08031234567 ext. 5 | ada
    tel:+2348031234567;ext=5 | tel: | 00 | tel:tel:08031234567
  `,
    `${'0'.repeat(100)}8031234567`,
  ])('is refused when it is no mobile number alone: %s', (text) => {
    expect(() => readPhone(text)).toThrow(invalid);
  });

  it('reads as itself once it is read', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^80[3-9]\d{7}$/), (digits) => {
        let phone: string;
        try {
          phone = readPhone(digits);
        } catch {
          return; // an unassigned range
        }
        expect(phone).toBe(`+234${digits}`);
        expect(readPhone(phone)).toBe(phone);
      }),
    );
  });
});

describe('a birth date', () => {
  it.each([
    ['1990-05-17T00:00:00.000Z', '1990-05-17'],
    ['1990-05-16T23:00:00.000Z', '1990-05-17'],
    ['1990-05-17T22:59:59.999Z', '1990-05-17'],
    ['1990-05-17T23:00:00.000Z', '1990-05-18'],
    ['1990-05-17T23:30:00-05:00', '1990-05-18'],
    ['1990-05-17T00:00:00+01:00', '1990-05-17'],
    ['1990-05-17T00:00:00+0100', '1990-05-17'],
    ['1990-05-17 00:00:00+01', '1990-05-17'],
    ['1990-05-17 00:00:00 UTC', '1990-05-17'],
    ['1990-05-17t00:30:00+02:00', '1990-05-16'],
    ['1989-12-31T23:00:00Z', '1990-01-01'],
  ])('of a moment is its day in Lagos: %s', (text, day) => {
    expect(readBirthDate(text, now)).toBe(day);
  });

  it.each([
    ...listed`
    1990-05-17 | 1990/05/17 | 1990.05.17 | 1990-05-17T23:30:00 | 1990-05-17T23:30 | 1990-05-17 00:00:00
    1990-05-17 23:59:59.9999999 | 17/05/1990 00:00:00 | 17/05/1990 12:00:00 AM | 17-05-1990 | 17/05/1990
    17.05.1990 | 17-5-1990 | 17-May-1990 | 17/MAY/1990 | 17 may 1990 | 17.May.1990
  `,
    ' 17-05-1990 ',
  ])('without an offset is the date as written: %j', (text) => {
    expect(readBirthDate(text, now)).toBe('1990-05-17');
  });

  it('that could be read either way is day first', () => {
    expect(readBirthDate('05/06/1990', now)).toBe('1990-06-05');
  });

  it.each([
    ['Jan', '01'],
    ['February', '02'],
    ['mar', '03'],
    ['APRIL', '04'],
    ['Jun', '06'],
    ['july', '07'],
    ['Aug', '08'],
    ['Sep', '09'],
    ['Sept', '09'],
    ['September', '09'],
    ['oct', '10'],
    ['November', '11'],
    ['dec', '12'],
  ])('knows %s for a month by its English name', (name, month) => {
    expect(readBirthDate(`7-${name}-1990`, now)).toBe(`1990-${month}-07`);
  });

  it.each([
    '1990-02-30',
    '1990-13-01',
    '30-02-1990',
    '05/17/1990',
    '17-05/1990',
    '17-05-90',
    '17-00-1990',
    '00-05-1990',
    '17-Mai-1990',
    '17-Marc-1990',
    'May-17-1990',
    '1990-05/17',
    '1990-05-17T12:00:00+15:00',
    '1990-05-17T12:00:00+01:60',
    '1990-05-17T13:00 PM',
    '1990-05-17T12:00Z junk',
    '9999-12-31T23:30:00Z',
    `1990-05-17T12:00${' '.repeat(5000)}`.padEnd(9000, 'x'),
    '19900517',
    '1990-5-7',
    'yesterday',
    '1990-05-17T99',
    '1990-05-17T99:99:99Z',
    '0000-00-00',
  ])('is a day of the calendar, and %s is none', (text) => {
    expect(() => readBirthDate(text, now)).toThrow(invalid);
  });

  it('is past, by the day in Lagos', () => {
    expect(() => readBirthDate('2026-03-01', now)).toThrow(invalid);
    expect(() => readBirthDate('2030-01-01', now)).toThrow(invalid);
    expect(() => readBirthDate('01-Mar-2026', now)).toThrow(invalid);
    expect(readBirthDate('2026-02-28', now)).toBe('2026-02-28');
    expect(readBirthDate('2026-03-01', new Date('2026-03-01T23:00:00Z'))).toBe('2026-03-01');
  });
});

describe('a name', () => {
  it('is trimmed, with single spaces inside', () => {
    expect(readName('firstName', '  Ada \t Ngozi ')).toBe('Ada Ngozi');
    expect(readName('lastName', 'Ọláwálé')).toBe('Ọláwálé');
  });

  it.each(['   ', '123', '--'])('has a letter: %j', (text) => {
    expect(() => readName('firstName', text)).toThrow(invalid);
  });
});

describe('a BVN', () => {
  it('has eleven digits', () => {
    expect(readBvn('22212345678')).toBe('22212345678');
    for (const text of ['2221234567', '222123456789', '2221234567a', '٢٢٢١٢٣٤٥٦٧٨'])
      expect(() => readBvn(text)).toThrow(invalid);
  });

  it('is shown by its last four digits alone', () => {
    expect(maskBvn('22212345678')).toBe('*******5678');
  });
});

describe('an address that is shown', () => {
  it('is recognisable to its owner, and reveals it to no one else', () => {
    expect(maskPhone('+2348031234567')).toBe('+234********67');
    expect(maskEmail('ada@example.com')).toBe('a***@example.com');
  });
});

describe('an e-mail address', () => {
  it.each([
    ...listed`
    ada | ada@ | @example.com | ada@example | a da@example.com | ada@@example.com | a@b@example.com
    ada..obi@example.com | .ada@example.com | ada@-example.com | ada@127.0.0.1 | ọlá@example.com
    ada@bücher.example
  `,
    `ada@${'a.'.repeat(125)}com`,
  ])('is not %s', (text) => {
    expect(() => readEmail(text)).toThrow(invalid);
  });

  it('of an international domain is written in ASCII', () => {
    expect(readEmail('ada@xn--bcher-kva.example')).toBe('ada@xn--bcher-kva.example');
  });

  it('is kept as it is written', () => {
    expect(readEmail(' Ada.Obi+pay@Example.com ')).toBe('Ada.Obi+pay@Example.com');
  });
});

it.each([
  ['call 08031234567 or +234 803 123 4567', 'call *** or ***'],
  ['BVN 22212340001, as ada@example.com says', 'BVN ***, as *** says'],
  ['ticket 77, PW-0123456789, ₦1500000', 'ticket 77, PW-0123456789, ₦1500000'],
  ['0199712345678-7b3f-8a2c-1234567890ab', '0199712345678-7b3f-8a2c-1234567890ab'],
  ['01997a3c-5d1e-7b3f-8a2c-123456789012', '01997a3c-5d1e-7b3f-8a2c-123456789012'],
])('of what operators write, numbers and addresses of people are hidden, and no ids: %s', (text, masked) => {
  expect(mask.maskProse(text)).toBe(masked);
});

it('a name keeps its initials, an address its domain, a number its last digits unless it is short', () => {
  expect(mask.maskName('Ada  Ọbi-Eze')).toBe('A***  Ọ***');
  expect(mask.maskEmail('ada@example.com')).toBe('a***@example.com');
  expect(mask.maskNumber('0123456789')).toBe('******6789');
  expect(mask.maskNumber('1234567')).toBe('***');
});
