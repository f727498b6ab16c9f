import { CompactSign, type CryptoKey, compactVerify, decodeProtectedHeader, errors, importJWK } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { ALGORITHM, PRIVATE_JWK_PURPOSE } from './generate-keys.ts';
import { keySet } from './key-cache.ts';
import { type SigningKeyRow, selectKeys } from './store.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/**
 * A document that is kept for longer than any key is published: a compact JWS (RFC 7515) with the current key, whose public
 * half stands in its header. `typ` says what it is for, so that no token passes for it, nor it for a token.
 */
export async function signDocument(deps: Deps, typ: string, document: object): Promise<string> {
  const { kid, privateKey, publicJwk } = (await keySet(deps)).current;
  const { kty, crv, x, y } = publicJwk;
  return new CompactSign(Buffer.from(JSON.stringify(document)))
    .setProtectedHeader({ alg: ALGORITHM, typ, kid, jwk: { kty, crv, x, y } as typeof publicJwk })
    .sign(privateKey);
}

/**
 * Opens documents of one `typ`: what was signed, or undefined for any text that we did not sign. A key is ours when its
 * private half opens with MASTER_KEY, however long it has been retired: whoever can write into the database, but lacks that
 * key, cannot make another pass for ours.
 */
export async function openDocuments(
  { db, keyring }: Omit<Deps, 'clock'>,
  typ: string,
): Promise<(jws: string) => Promise<unknown>> {
  const keys = new Map<string, CryptoKey>();
  for (const row of await selectKeys(db)) {
    const key = await ownKey(keyring, row);
    if (key !== undefined) keys.set(row.kid, key);
  }
  return async (jws) => {
    try {
      const { kid = '', typ: given } = decodeProtectedHeader(jws);
      const key = keys.get(kid);
      if (key === undefined || given !== typ) return undefined;
      const { payload } = await compactVerify(jws, key, { algorithms: [ALGORITHM] });
      return JSON.parse(Buffer.from(payload).toString());
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError)
        return undefined;
      throw error;
    }
  };
}

/** The public half of a key that was made with our MASTER_KEY, as the sealed private half says it. */
async function ownKey(keyring: Keyring, { privateJwkSealed }: SigningKeyRow): Promise<CryptoKey | undefined> {
  let opened: string;
  try {
    opened = keyring.open(PRIVATE_JWK_PURPOSE, privateJwkSealed);
  } catch {
    return undefined; // sealed with another MASTER_KEY
  }
  const { kty, crv, x, y } = JSON.parse(opened);
  const key = await importJWK({ kty, crv, x, y }, ALGORITHM);
  return key instanceof Uint8Array ? undefined : key;
}
