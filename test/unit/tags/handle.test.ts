import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHandle } from '#modules/tags';
import { isReserved } from '../../../src/modules/reserved-names/is-reserved.ts';
import { reservedHandles } from '../../../src/modules/reserved-names/reserved.ts';
import { skeleton } from '../../../src/modules/reserved-names/skeleton.ts';

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
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
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
