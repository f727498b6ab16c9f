import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** SHA-256, for secrets with 128 random bits or more (keys, codes, session ids), which cannot be guessed. */
export function sha256(value: string | Uint8Array): Buffer {
  // At once, and by a text: a quarter of the time of an object that hashes piece by piece and makes a buffer of its own.
  return Buffer.from(hash('sha256', value, 'latin1'), 'latin1');
}

/** HMAC-SHA-256, for values that could be guessed from a plain digest (an OTP, a BVN). */
export function hmacSha256(key: Uint8Array, value: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(value).digest();
}

/** Compares two digests of equal length in constant time; unequal lengths are unequal. */
export function equalDigests(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
