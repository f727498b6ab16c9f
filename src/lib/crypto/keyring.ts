import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { hmacSha256 } from './digest.ts';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and indexes personal data and stored secrets, and signs links and forms. Every key is derived from the root
 * key by HKDF-SHA-256 (RFC 5869) with a label of its own, so that no two uses share a key.
 */
export interface Keyring {
  /** Encrypts with AES-256-GCM. `purpose` is authenticated: what was sealed for one column does not open as another. */
  seal(purpose: string, plaintext: string): Buffer;
  /** Decrypts what `seal` made. @throws Error when the bytes were changed, or sealed for another purpose or by another key */
  open(purpose: string, sealed: Uint8Array): string;
  /** A keyed digest by which an equal value can be found again; without the key it says nothing of the value. */
  blindIndex(purpose: string, value: string): Buffer;
  /** HMAC-SHA-256 of a value that we hand out and get back, so that nobody else can make one. Compare by `equalDigests`. */
  sign(purpose: string, value: string): Buffer;
  /** Identifies the root key without revealing it. */
  readonly fingerprint: string;
}

/** @param rootKey 32 random bytes, the same in every process: what one seals, another opens */
export function createKeyring(rootKey: Uint8Array): Keyring {
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', rootKey, Buffer.alloc(0), `paytag/${label}`, 32));
  const sealKey = derive('seal/v1');
  const indexKey = derive('blind-index/v1');
  const signingKey = derive('sign/v1');

  return {
    fingerprint: derive('fingerprint/v1').toString('hex'),

    seal(purpose, plaintext) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), iv, body, cipher.getAuthTag()]);
    },

    open(purpose, sealed) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== VERSION || bytes.length < 1 + IV_BYTES + TAG_BYTES) throw new Error(`not sealed: ${purpose}`);
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(1, 1 + IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const body = bytes.subarray(1 + IV_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },

    blindIndex: (purpose, value) => hmacSha256(indexKey, `${purpose}\0${value}`),

    sign: (purpose, value) => hmacSha256(signingKey, `${purpose}\0${value}`),
  };
}
