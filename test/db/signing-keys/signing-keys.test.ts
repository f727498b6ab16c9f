import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { createTransact } from '#lib/postgres/transact.ts';
import { jwks, rotateSigningKeys, sign, verify } from '#modules/keys';
import { testClock } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const clock = testClock();
const keyring = createKeyring(Buffer.alloc(32, 7));
const handles: DatabaseHandle[] = [];
/** What another process on the same database would be given. */
const newProcess = () => {
  const handle = openDatabase(database.url, 4, () => {});
  handles.push(handle);
  return { db: handle.db, transact: createTransact(handle.pool, () => undefined), keyring, clock };
};
let here: ReturnType<typeof newProcess>;
beforeAll(() => {
  here = newProcess();
});
afterAll(() => Promise.all(handles.map((handle) => handle.close())));

const rotation = { actor: 'operator', reason: 'a test asks for it', immediately: true };
const kind = { typ: 'test+jwt', issuer: 'https://pay.example', audience: 'https://pay.example/test', lifetimeS: 600 };
const claims = () => {
  const iat = Math.floor(clock.now().getTime() / 1000);
  return { sub: 'ada', jti: randomUUID(), iat, exp: iat + 600 };
};

describe('signing keys', () => {
  it('are made once, by however many processes at once', async () => {
    const published = await Promise.all(Array.from({ length: 5 }, async () => jwks(newProcess())));
    const kids = published.map(({ keys }) => new Set(keys.map(({ kid }) => kid)));
    expect(kids[0]?.size).toBe(2);
    for (const seen of kids) expect(seen).toEqual(kids[0]);
  });

  it('are kept sealed: the private half is nowhere in the table', async () => {
    const { rows } = await here.db.execute(
      `select kid, public_jwk::text as public, encode(private_jwk_sealed, 'escape') as sealed from signing_keys.signing_key`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { public: shown, sealed } of rows) {
      expect(shown).not.toMatch(/"d":/);
      expect(sealed).not.toContain('"d"');
    }
  });

  it('rotate without ending the tokens signed before, and to a key that was published before', async () => {
    const before = await sign(here, kind, claims());
    const known = (await jwks(here)).keys.map(({ kid }) => kid);
    await rotateSigningKeys(newProcess(), rotation);
    const after = await sign(newProcess(), kind, claims());
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    expect(known).toContain(decodeProtectedHeader(after).kid);
    expect(await verify(here, before, kind)).toMatchObject({ sub: 'ada' });
    expect(await verify(here, after, kind)).toMatchObject({ sub: 'ada' });
  });

  it('are read again when a token names one this process has not seen', async () => {
    await jwks(here);
    const other = newProcess();
    await rotateSigningKeys(other, rotation);
    await rotateSigningKeys(other, rotation);
    const token = await sign(newProcess(), kind, claims());
    clock.advance(1000);
    expect(await verify(here, token, kind)).toMatchObject({ sub: 'ada' });
  });
});

describe('a token', () => {
  it('expires at its exp, by our clock', async () => {
    const token = await sign(here, kind, claims());
    expect(await verify(here, token, kind)).toBeDefined();
    clock.advance(601_000);
    expect(await verify(here, token, kind)).toBeUndefined();
  });

  it.each([
    ['typ', { ...kind, typ: 'at+jwt' }],
    ['issuer', { ...kind, issuer: 'https://other.example' }],
    ['audience', { ...kind, audience: 'https://pay.example/v2' }],
  ])('is not one of another %s', async (_member, other) => {
    expect(await verify(here, await sign(here, kind, claims()), other)).toBeUndefined();
  });

  it('is refused when another key, another algorithm or none signed it', async () => {
    const kid = (await jwks(here)).keys[0]?.kid ?? '';
    const header = { typ: kind.typ, kid };
    const body = { ...claims(), iss: kind.issuer, aud: kind.audience };
    const foreign = await generateKeyPair('ES256', { extractable: true });
    const publicJwk = JSON.stringify((await jwks(here)).keys[0]);
    const unsigned = [{ ...header, alg: 'none' }, body].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const forged = [
      await new SignJWT(body).setProtectedHeader({ ...header, alg: 'ES256' }).sign(foreign.privateKey),
      await new SignJWT(body)
        .setProtectedHeader({ ...header, alg: 'ES256', jwk: await exportJWK(foreign.publicKey) })
        .sign(foreign.privateKey),
      await new SignJWT(body).setProtectedHeader({ ...header, alg: 'HS256' }).sign(Buffer.from(publicJwk)),
      `${unsigned.join('.')}.`,
      '',
      'a.b.c',
    ];
    for (const token of forged) expect(await verify(here, token, kind)).toBeUndefined();
  });

  it('without sub, jti, iat or exp is none of ours', async () => {
    for (const member of ['sub', 'jti', 'iat', 'exp']) {
      const token = await sign(here, kind, { ...claims(), [member]: undefined });
      expect(await verify(here, token, kind)).toBeUndefined();
    }
  });
});
