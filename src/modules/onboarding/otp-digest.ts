import type { Keyring } from '#lib/crypto/keyring.ts';
import type { CreationKey } from './store.ts';

/** A code is kept as a keyed digest (an HMAC) bound to its session: six digits alone could be guessed from any other. */
export const otpDigest = (keyring: Keyring, { digest }: CreationKey, code: string): Buffer =>
  keyring.blindIndex('creation_session.otp', `${digest.toString('hex')}:${code}`);
