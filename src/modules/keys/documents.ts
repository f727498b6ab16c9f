import type { CryptoKey } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { jose } from '#lib/lazy.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { selectKeys } from './signing-key-store.ts';
import { ALGORITHM, importKey, keySet, openPublicHalf } from './signing-keys.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/**
 * Signs a document that outlives the publication of its key: a compact JWS (RFC 7515) with the current key, whose public half is in its
 * header. `typ` is its purpose, so that no token passes for it, nor it for a token.
 */
export async function signDocument(deps: Deps, typ: string, document: object): Promise<string> {
  const { kid, privateKey, publicJwk } = (await keySet(deps)).current;
  const { kty, crv, x, y } = publicJwk;
  return new (jose().CompactSign)(Buffer.from(JSON.stringify(document)))
    .setProtectedHeader({ alg: ALGORITHM, typ, kid, jwk: { kty, crv, x, y } as typeof publicJwk })
    .sign(privateKey);
}

/** A verified document. */
interface SignedDocument {
  says: unknown;
  kid: string;
  /** When its key was revoked: from then on others may sign with it, with any date. */
  revokedAt: Date | null;
}

/**
 * Verifies documents of one `typ`: returns the signed content, or undefined for a text that we did not sign. A key is ours when its
 * sealed column opens with our keys, however long it has been retired: without the root key, write access to the database does not
 * make another key pass for ours.
 */
export async function openDocuments(
  { db, keyring }: Omit<Deps, 'clock'>,
  typ: string,
): Promise<(jws: string) => Promise<SignedDocument | undefined>> {
  const keys = new Map<string, { key: CryptoKey; revokedAt: Date | null }>();
  for (const row of await selectKeys(db)) {
    const publicHalf = openPublicHalf(keyring, row);
    if (publicHalf !== undefined) {
      keys.set(row.kid, { key: await importKey(publicHalf), revokedAt: row.revokedAt });
    }
  }
  return async (jws) => {
    try {
      const { kid = '', typ: given } = jose().decodeProtectedHeader(jws);
      const own = keys.get(kid);
      if (own === undefined || given !== typ) return undefined;
      const { payload } = await jose().compactVerify(jws, own.key, { algorithms: [ALGORITHM] });
      return { says: JSON.parse(Buffer.from(payload).toString()), kid, revokedAt: own.revokedAt };
    } catch (error) {
      if (error instanceof jose().errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError)
        return undefined;
      throw error;
    }
  };
}
