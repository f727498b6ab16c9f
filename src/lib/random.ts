import { randomBytes, randomInt } from 'node:crypto';

/** 256 random bits, URL-safe. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** 128 random bits as lower-case hex. */
export const randomId = (): string => randomBytes(16).toString('hex');

/** Decimal digits, uniformly random. */
export const randomDigits = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0');

/** Uniformly random in [0, 1): for jitter. */
export const randomFraction = (): number => randomInt(2 ** 32) / 2 ** 32;

/** A UUID of version 7 (RFC 9562, 5.7): ordered by the millisecond that it is of, and otherwise random. */
export function timeOrderedId(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
