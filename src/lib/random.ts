import { randomBytes, randomInt } from 'node:crypto';

/** 256 random bits, URL-safe. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** 128 random bits as lower-case hex. */
export const randomId = (): string => randomBytes(16).toString('hex');

/** Decimal digits, uniformly random. */
export const randomDigits = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0');

/** Uniformly random in [0, 1): for jitter. */
export const randomFraction = (): number => randomInt(2 ** 32) / 2 ** 32;
