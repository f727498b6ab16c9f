import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { fingerprintOf, wrappingKeyOf } from '#lib/crypto/keyring.ts';
import type { RootKey } from './port.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A root key that this process was given: AES-256-GCM with a key derived from it. */
export function masterRootKey(masterKey: Uint8Array): RootKey {
  const key = wrappingKeyOf(masterKey);
  return {
    id: fingerprintOf(masterKey),
    async wrap(plaintext) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    async unwrap(wrapped) {
      const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
      const body = decipher.update(wrapped.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}
