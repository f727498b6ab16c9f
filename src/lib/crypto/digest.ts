import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** SHA-256, for secrets that carry 128 random bits or more themselves (keys, codes, session ids). */
export function sha256(value: string | Uint8Array): Buffer {
  return createHash('sha256').update(value).digest();
}

/** HMAC-SHA-256, for secrets that could be guessed (an OTP, a BVN). */
export function hmacSha256(key: Uint8Array, value: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(value).digest();
}

/** Compares two digests of equal length in constant time; unequal lengths are unequal. */
export function equalDigests(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
