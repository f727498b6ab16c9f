import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { readLink, signLink } from '../../../src/modules/statements/link.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));
const NOW = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const origin = { session: randomUUID() };
const asked = { wallet: 'PW-0123456789abcdef', from: later(-90_000), to: NOW, format: 'csv', origin } as const;
const tokenOf = (ring = keyring) =>
  signLink({ keyring: ring, publicUrl: 'https://pay.example.com' }, asked, later(60_000)).replace(
    'https://pay.example.com/statements/',
    '',
  );

it('says again what it was made of, until the moment it expires', () => {
  expect(readLink(keyring, tokenOf(), NOW)).toEqual(asked);
  expect(readLink(keyring, tokenOf(), later(59_999))).toEqual(asked);
  expect(() => readLink(keyring, tokenOf(), later(60_000))).toThrow(
    expect.objectContaining({ code: 'STATEMENT_LINK_EXPIRED' }),
  );
});

const notFound = expect.objectContaining({ code: 'STATEMENT_NOT_FOUND' });

it('is nothing when another key made it, or it was changed anywhere', () => {
  const token = tokenOf();
  expect(() => readLink(keyring, tokenOf(createKeyring(Buffer.alloc(32, 2))), NOW)).toThrow(notFound);
  for (let at = 0; at < token.length - 1; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect(() => readLink(keyring, changed, NOW)).toThrow(notFound);
  }
  const forged = Buffer.from(JSON.stringify(['PW-1', 0, 1, 'pdf', later(1e9).getTime()])).toString('base64url');
  expect(() => readLink(keyring, `${forged}.${token.split('.')[1]}`, NOW)).toThrow(notFound);
});

it('anything else sent as a token is not found', () => {
  const junk = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.constantFrom('', '.', '..', 'a.b'));
  fc.assert(
    fc.property(junk, (token) => {
      expect(() => readLink(keyring, token, NOW)).toThrow(notFound);
    }),
  );
});
