import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import {
  approvalPageShare,
  assertPasswordAllowed,
  dummyPasswordHash,
  hashPassword,
  partnerShare,
  verifyPassword,
} from '#modules/customers';
import { listed } from '../../support/cases.ts';

const owner = { tag: 'ada.obi', firstName: 'Ada', lastName: 'Obi', otherName: 'Ngozi' };
const check = (password: string) => () => assertPasswordAllowed(password, owner);
const weak = expect.objectContaining({ code: 'WEAK_PASSWORD' });

describe('a password', () => {
  it.each(listed`
    correct horse battery | Kilimanjaro-77 | pässwörd-ünd-mehr | !@#%^&*()_-+= | adaobi-goes-home
    my wallet is in the fridge | paytag 84719-02355
  `)('may be %s', (password) => {
    expect(check(password)).not.toThrow();
  });

  it('has 8 to 128 characters, counted as people count them', () => {
    expect(check('1x9z5q7')).toThrow(weak);
    expect(check('x7'.repeat(64))).not.toThrow();
    expect(check(`${'x7'.repeat(64)}!`)).toThrow(weak);
    expect(check('🦜🦓🐘🦒🐪🐊🦛')).toThrow(weak);
    expect(check('🦜🦓🐘🦒🐪🐊🦛🐆')).not.toThrow();
  });

  it.each(['password', 'PassWord', 'qwertyuiop', '12345678', 'iloveyou'])('is not a common one: %s', (password) => {
    expect(check(password)).toThrow(weak);
  });

  it('is not only blanks', () => {
    expect(check(' \u00a0 \t\u2003 \u2009 \n')).toThrow(weak);
  });

  it.each(listed`
    aaaaaaaa | 00000000 | 12121212 | abcdABCD | abcdefgh | 87654321 | 9999999999999999 | 🦜🦜🦜🦜🦜🦜🦜🦜
  `)('is not one piece again and again, nor a run: %s', (password) => {
    expect(check(password)).toThrow(weak);
  });

  it.each(['abcdefgX', '12345679-', 'x7x7x7x7x', 'a'.repeat(17)])('may be near to one: %s', (password) => {
    expect(check(password)).not.toThrow();
  });

  it.each(['ada.obi.', 'AdaObi--', 'obi ada ngozi', 'Ngozi-Obi', 'A.D.A.O.B.I'])(
    'is not made of the PayTag or the names: %s',
    (password) => {
      expect(check(password)).toThrow(weak);
    },
  );

  it.each(['paytag2026', 'PayTag-Wallet!', 'ada.paytag', 'Naira@1234', 'ngozi1990', 'Lagos Nigeria'])(
    'is not made of words of ours, nor of the names, with a few digits: %s',
    (password) => {
      expect(check(password)).toThrow(weak);
    },
  );
});

describe('a password hash', () => {
  /** A verification costs what the hash says: here next to nothing. */
  const cheapHash = () => hash('Kilimanjaro-77', { memoryCost: 8, timeCost: 1, parallelism: 1 });

  it('is argon2id at 19 MiB and two passes, and another each time', async () => {
    const [first, second] = await Promise.all([
      hashPassword('Kilimanjaro-77', partnerShare('bank')),
      hashPassword('Kilimanjaro-77', partnerShare('bank')),
    ]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
  });

  it('verifies its password, however the characters were composed, and no other', async () => {
    const hashed = await hashPassword('pa\u0308sswort-77', partnerShare('bank'));
    expect(await verifyPassword(hashed, 'p\u00e4sswort-77', { share: partnerShare('bank') })).toBe(true);
    expect(await verifyPassword(hashed, 'passwort-77', { share: partnerShare('bank') })).toBe(false);
  });

  it('of an unknown customer costs what a real one’s does, and verifies nothing', async () => {
    const nobody = await dummyPasswordHash();
    expect(nobody).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await dummyPasswordHash()).toBe(nobody);
    expect(await verifyPassword(nobody, '', { share: partnerShare('bank') })).toBe(false);
  });

  it('is refused with BUSY, to be tried again, when too many of one partner wait, and of that partner alone', async () => {
    const hashed = await cheapHash();
    const flood = Promise.allSettled(
      Array.from({ length: 100 }, () => verifyPassword(hashed, 'wrong-77', { share: partnerShare('flood') })),
    );
    const others = [partnerShare('bank'), partnerShare('shop'), approvalPageShare('application')].map((share) =>
      verifyPassword(hashed, 'Kilimanjaro-77', { share }),
    );
    expect(await Promise.all(others)).toEqual([true, true, true]);
    const refusals = (await flood).filter((outcome) => outcome.status === 'rejected');
    expect(refusals.length).toBeGreaterThan(30);
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    expect(await verifyPassword(hashed, 'Kilimanjaro-77', { share: partnerShare('flood') })).toBe(true);
  });

  it('of a partner is made in its turn, however many of others wait', async () => {
    const hashed = await cheapHash();
    const begun: string[] = [];
    const verify = (who: string, share: ReturnType<typeof partnerShare>) =>
      verifyPassword(hashed, 'Kilimanjaro-77', {
        share,
        guesses: { begin: async () => void begun.push(who), succeeded: async () => undefined },
      });
    const flood = Array.from({ length: 60 }, () => verify('flood', partnerShare('flood')));
    const pages = Array.from({ length: 60 }, (_, n) => verify('pages', approvalPageShare(`application ${n % 6}`)));
    await Promise.all([...flood, ...pages, verify('bank', partnerShare('bank'))]);
    const atOnce = begun.indexOf('pages');
    expect(begun.slice(atOnce, atOnce + 3)).toEqual(['pages', 'bank', 'flood']);
    expect(atOnce).toBeLessThanOrEqual(4);
  });
});
