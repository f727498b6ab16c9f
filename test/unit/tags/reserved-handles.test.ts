import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReserved } from '../../../src/modules/reserved-names/is-reserved.ts';
import { brand } from '../../../src/modules/reserved-names/reserved.ts';
import { firstNames, lastNames } from '../../support/nigerian-names.ts';

const ascii = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ɗ', 'd')
    .replaceAll(/[^a-z-]/g, '');
const first = fc.constantFrom(...firstNames.map(ascii));
/** But for Bank-Anthony: beside the first name Unity its handle is that bank’s. */
const last = fc.constantFrom(...lastNames.map(ascii).filter((name) => !name.startsWith('bank-')));
const separator = fc.constantFrom('', '.', '-', '_');
const shop = fc.constantFrom('', 'stores', 'foods', 'fashion', 'ventures', 'kitchen', 'motors', 'hair', 'pharmacy');

describe('a handle that passes for somebody is nobody’s:', () => {
  it('our own name wherever it stands, however it is drawn', () => {
    const part = fc.stringMatching(/^[a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(
        part,
        separator,
        fc.constantFrom(brand, 'pay.tag', 'p4yt4g', 'p-a-y-tag'),
        separator,
        part,
        (...parts) => {
          expect([parts.join(''), isReserved(parts.join(''))]).toEqual([parts.join(''), true]);
        },
      ),
    );
  });

  it.each([
    'mypaytag',
    'paytag.nigeria',
    'paytagng',
    'thepaytagteam',
    'paytag-verification',
    '0paytag',
    'paytag1',
    'zenithbank',
    'gtbank.support',
    'opay',
    'firs',
    'cbn.ng',
    'efcc.nigeria',
    'nigeriapolice',
    'inec',

    'central.bank.ng',
    'c.b.n.ng',
    'cbn.official',
    'accessbank',
    'firstbank',
    'uba',
    'uba.support',
    'kuda',
    'gtbank24',
    'my-zenithbank',
    'zen1thbank',
    'frsc',
    'dss.ng',
    'mtn',
    'visa.nigeria',
    'ada.opay',
    'centralbankofnigeria',
    'support1',
    'customer.care',
    'official-support',
    'police.ng',
    'refund.desk',
    'security-alert',
  ])('%s', (handle) => {
    expect(isReserved(handle)).toBe(true);
  });
});

describe('a handle is free', () => {
  it('that is a Nigerian’s name, in one piece or two, with a year or a trade behind it', () => {
    const year = fc.constantFrom('', '1', '24', '1990');
    fc.assert(
      fc.property(first, separator, last, fc.constantFrom('', '.', '_'), shop, year, (...parts) => {
        expect([parts.join(''), isReserved(parts.join(''))]).toEqual([parts.join(''), false]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    'opayemi',
    'bankole',
    'kudaisi',
    'firsat',
    'banke',
    'unitybankole',
    'sterling-bankole',
    'chidi.uba',
    'uba_ada',

    'mama.put',
    'ecofarm',
    'citybikes',
    'foodbanklagos',
    'visa.helpers',
    'adadss',
    'titans',
    'zenithhotel',
    'nova.foods',
    'novak',
    'jambo',
    'momo',
    'alatise',
    'mtnest',
    'police-harry',
  ])('%s', (handle) => {
    expect(isReserved(handle)).toBe(false);
  });
});

describe('a handle that reads as somebody’s number is nobody’s', () => {
  it.each([
    '8031234567',
    '08031234567',
    '234.803.123.4567',
    '0000000010',
    '0803-123-4567',
    '2348031234567',
    '00234.803.123.4567',
    '2340.803.1234.567',
    '22212345678',
    '447911123456',
    '123',
    '1-2-3',
    '1732809600000',
    'o8031234567',
    '0803l234567',
    'o8o3.i23.4567',
    '23480312345l7',
    'tel08031234567',
    'tel.447911123456',
    'phone-8031234567',
    'whatsapp_2348031234567',
    'acct0123456789',
    '0123456789.nuban',
    'bvn-22212345678',
  ])('%s', (handle) => {
    expect(isReserved(handle)).toBe(true);
  });

  it.each([
    'ada8031234567',
    'b1732809600000',
    'user1732809600000',
    'x-2348031234567',
    'tunde.1990',
    'a1',
    'oil-10',
    'lil.o',
    'tel-aviv-2024',
    'phone24',
    '4real',
    'no1seller',
    '9ja-boy',
    '08031234567ada',
  ])('but %s is no number', (handle) => {
    expect(isReserved(handle)).toBe(false);
  });
});
