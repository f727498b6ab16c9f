import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';

/** What is stored of the code that was sent last. */
export interface StoredCode {
  /** Null when there is none that could be given: it was used, or none was sent. */
  codeDigest: Buffer | null;
  codeExpiresAt: Date | null;
}

/**
 * A code is stored as a keyed digest (an HMAC), since six digits could be guessed from any other. It is bound to its purpose
 * (e.g. `consent:` and an id): a code that was sent for one purpose proves nothing for another.
 */
export const codeDigest = (keyring: Keyring, purpose: string, code: string): Buffer =>
  keyring.blindIndex('otp', `${purpose}:${code}`);

/** Whether this is the code of the digest; no code is when there is no digest. */
export const isCode = (keyring: Keyring, purpose: string, digest: Buffer | null, code: string): boolean =>
  digest !== null && equalDigests(digest, codeDigest(keyring, purpose, code));
