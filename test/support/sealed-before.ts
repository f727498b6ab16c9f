import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A value as it was sealed before sealed values named their key: by a key derived from MASTER_KEY. */
export function unnamed(masterKey: Buffer, purpose: string, plaintext: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'paytag/seal/v1', 32));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
  return Buffer.concat([Buffer.of(1), iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}
