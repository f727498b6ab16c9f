import type { Traffic } from './clients.ts';
import type { Verdict } from './promises.ts';

/** Guesses that are looked at before a PayTag is closed, and for how long then: half a minute, and each time twice as long. */
const FREE = 5;
const FIRST_DELAY_S = 30;

/** How many guesses a counter lets through in so many seconds. */
const letThrough = (seconds: number): number => FREE + Math.floor(Math.log2(seconds / FIRST_DELAY_S + 1)) + 1;

/**
 * Guesses at one password are as few as the limit says: of each counter that began anew with a Redis that lost what it held, and
 * of the one in PostgreSQL that counts while Redis is away.
 *
 * @param losses when, in seconds from the start
 */
export function guessesHeld({ guesses }: Traffic, losses: readonly number[], seconds: number): Verdict {
  const bounds = [0, ...losses, seconds];
  const ofRedis = bounds.slice(1).reduce((sum, end, at) => sum + letThrough(end - (bounds[at] ?? 0)), 0);
  const most = ofRedis + letThrough(seconds);
  const broken = guesses > most ? [`${guesses} guesses were looked at, and ${most} may be`] : [];
  return { promise: 'guesses at a password are limited', broken, looked: `${guesses} of at most ${most} looked at` };
}
