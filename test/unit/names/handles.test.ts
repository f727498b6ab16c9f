import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHandle } from '#modules/tags';
import { skeleton } from '../../../src/modules/reserved-names/drawn-words.ts';
import { isReserved } from '../../../src/modules/reserved-names/is-reserved.ts';
import { brand, reservedHandles } from '../../../src/modules/reserved-names/reserved.ts';
import { testSenderTag } from '../../../src/modules/sandbox/offer-to-application.ts';
import { firstNames, lastNames, listed, repetitions } from '../../support/cases.ts';
import { anyText } from '../../support/texts.ts';

const alphanumeric = fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz0123456789'));
/** Alphanumeric runs with single separators between them, 3 to 30 characters in all. */
const handle = fc
  .array(fc.array(alphanumeric, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 })
  .chain((runs) =>
    fc
      .array(fc.constantFrom('.', '-', '_'), { minLength: runs.length, maxLength: runs.length })
      .map((separators) => runs.map((run, index) => `${index === 0 ? '' : separators[index]}${run.join('')}`).join('')),
  )
  .filter((text) => text.length >= 3 && text.length <= 30);

/** Every character for which another passes at a glance, by what passes for it. */
const disguises: Record<string, string> = {
  o: '0',
  l: '1',
  i: '1',
  e: '3',
  a: '4',
  s: '5',
  b: '8',
  t: '7',
  g: '9',
  m: 'rn',
  w: 'vv',
  d: 'cl',
};

describe('a handle', () => {
  it('is read as it stands when it keeps the grammar', () => {
    fc.assert(
      fc.property(handle, (text) => {
        expect(parseHandle(text)).toBe(text);
      }),
    );
  });

  it('is the same with one @ before it and in capitals', () => {
    fc.assert(
      fc.property(handle, (text) => {
        expect(parseHandle(`@${text.toUpperCase()}`)).toBe(text);
      }),
    );
  });

  it('of any text keeps the grammar, and reads as itself again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyText()), (text) => {
        const read = parseHandle(text);
        if (read === undefined) return;
        expect(read).toMatch(/^[a-z0-9](?:[a-z0-9._-]{1,28})[a-z0-9]$/);
        expect(read).not.toMatch(/[._-]{2}/);
        expect(parseHandle(read)).toBe(read);
      }),
    );
  });

  it.each([
    ['', 'nothing'],
    ['ab', 'two characters'],
    ['a'.repeat(31), 'thirty-one characters'],
    ['.ada', 'a separator in front'],
    ['ada-', 'a separator at the end'],
    ['ada..obi', 'a doubled separator'],
    ['ada._obi', 'two separators'],
    ['@@ada', 'two @'],
    ['ada obi', 'a space'],
    [' ada', 'a space in front'],
    ['ada\n', 'a line end'],
    ['ad\u0430', 'a Cyrillic letter'],
    ['\u212Aada', 'the Kelvin sign, which lowers to a plain k'],
    ['ada@acme', 'a namespace'],
  ])('is not %j (%s)', (text) => {
    expect(parseHandle(text)).toBeUndefined();
  });
});

describe('a skeleton', () => {
  it('of a skeleton is that skeleton', () => {
    fc.assert(
      fc.property(handle, (text) => {
        expect(skeleton(skeleton(text))).toBe(skeleton(text));
      }),
    );
  });

  it('does not change when look-alikes take the place of letters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...reservedHandles), fc.infiniteStream(fc.boolean()), (word, disguise) => {
        const disguised = Array.from(word, (letter) =>
          disguise.next().value ? (disguises[letter] ?? letter) : letter,
        );
        expect(skeleton(disguised.join(''))).toBe(skeleton(word));
      }),
    );
  });
});

describe('a reserved handle', () => {
  it.each(['admin', 'paytag', 'support', 'root', 'system', 'api', 'bank', 'official'])('is %s', (word) => {
    expect(isReserved(word)).toBe(true);
  });

  it.each(['adm1n', 'a.d.m.i.n', 'adrnin', 'pay-tag', 'p4yt4g', 'r00t', 'supp0rt', 'offic1al', 'B4NK'.toLowerCase()])(
    'is what passes for one: %s',
    (look) => {
      expect(isReserved(look)).toBe(true);
    },
  );

  it.each(['ada', 'bola', 'ada.obi', 'adminat', 'banke', 'apiary', 'rootsman', 'chinedu-99'])(
    'is not somebody who only begins like one: %s',
    (name) => {
      expect(isReserved(name)).toBe(false);
    },
  );
});

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

  it.each(listed`
    mypaytag | paytag.nigeria | paytagng | thepaytagteam | paytag-verification | 0paytag | paytag1 | zenithbank
    gtbank.support | opay | firs | cbn.ng | efcc.nigeria | nigeriapolice | inec | central.bank.ng | c.b.n.ng
    cbn.official | accessbank | firstbank | uba | uba.support | kuda | gtbank24 | my-zenithbank | zen1thbank
    frsc | dss.ng | mtn | visa.nigeria | ada.opay | centralbankofnigeria | support1 | customer.care
    official-support | police.ng | refund.desk | security-alert | pavtag | pautag | my.pavtag | payytag | pau-tag
  `)('%s', (text) => {
    expect(isReserved(text)).toBe(true);
  });
});

describe('a handle is free', () => {
  it('that is a Nigerian’s name, in one piece or two, with a year or a trade behind it', () => {
    const year = fc.constantFrom('', '1', '24', '1990');
    fc.assert(
      fc.property(first, separator, last, fc.constantFrom('', '.', '_'), shop, year, (...parts) => {
        expect([parts.join(''), isReserved(parts.join(''))]).toEqual([parts.join(''), false]);
      }),
      { numRuns: repetitions({ short: 400, soak: 10_000 }) },
    );
  });

  it.each(listed`
    opayemi | bankole | kudaisi | firsat | banke | unitybankole | sterling-bankole | chidi.uba | uba_ada
    mama.put | ecofarm | citybikes | foodbanklagos | visa.helpers | adadss | titans | zenithhotel | nova.foods
    pa-uta-group | papa.utag | novak | jambo | momo | alatise | mtnest | police-harry
  `)('%s', (text) => {
    expect(isReserved(text)).toBe(false);
  });
});

describe('a handle that reads as somebody’s number is nobody’s', () => {
  it.each(listed`
    8031234567 | 08031234567 | 234.803.123.4567 | 0000000010 | 0803-123-4567 | 2348031234567
    00234.803.123.4567 | 2340.803.1234.567 | 22212345678 | 447911123456 | 123 | 1-2-3 | 1732809600000
    o8031234567 | 0803l234567 | o8o3.i23.4567 | 23480312345l7 | tel08031234567 | tel.447911123456
    phone-8031234567 | whatsapp_2348031234567 | acct0123456789 | 0123456789.nuban | bvn-22212345678 | 1e10 | 1e9 | 1.5e10
    1e-5 | 0x1f | 0xbabe | 0b11 | 0o17 | 2348031234567a | n08031234567 | 08031234567.ng | e0000000034 | x-2348031234567
    a.0803-123-4567.b
  `)('%s', (text) => {
    expect(isReserved(text)).toBe(true);
  });

  it.each(listed`
    ada8031234567 | b1732809600000 | user1732809600000 | ada-08031234567 | 1elder | 0xygen | tunde.1990 | a1 | oil-10 | lil.o
    tel-aviv-2024 | phone24 | 4real | no1seller | 9ja-boy | 08031234567ada
  `)('but %s is no number', (text) => {
    expect(isReserved(text)).toBe(false);
  });
});

it('never spells a name that nobody may have', () => {
  const drawn = ['7efcc4f0', 'efcc1900', '0b5c1d77'];
  expect(testSenderTag(() => drawn.shift() ?? '')).toBe('test-sender-0b5c1d');
});
