import { z } from 'zod';

/**
 * What a provider calls something by, as it can be stored and found again: an id or a code. A longer one, or one that the
 * database cannot hold, is none.
 */
export const nameText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'it cannot be stored');

/** What a provider writes for people, as it can be stored and shown: cut to its greatest length, with spaces for control characters. */
export const shownText = (text: string, max: number): string =>
  text
    .slice(0, max)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed();

/** What others wrote of a payment, as far as it can be stored: money that came in is booked whatever was written. */
export const sentWords = z
  .string()
  .transform((text) => shownText(text, 500))
  .optional()
  .catch(undefined);

/** The most that an account can hold, in minor units. */
const MOST = 999_999_999_999_999;

/** Minor units, which are whole. */
export const kobo = z.int().min(0).max(MOST).transform(BigInt);
