import type { Traffic } from './clients.ts';
import { atLeastOne, type Verdict } from './verdict.ts';

/** Guesses that are looked at before a PayTag is closed, and for how long then: half a minute, and each time twice as long. */
const FREE = 5;
const FIRST_DELAY_S = 30;

/** How many guesses are let through in so many seconds. */
const letThrough = (seconds: number): number => FREE + Math.floor(Math.log2(seconds / FIRST_DELAY_S + 1)) + 1;

/** Guesses at one password are as few as the limit says: PostgreSQL counts them, whatever becomes of Redis and of PostgreSQL itself. */
export function guessesHeld({ guesses, answers }: Traffic, seconds: number): Verdict {
  const most = letThrough(seconds);
  const refused = answers.get('guesses')?.get(429) ?? 0;
  const broken = guesses > most ? [`${guesses} guesses were looked at, and ${most} may be`] : [];
  broken.push(...atLeastOne(guesses, 'guess was looked at'), ...atLeastOne(refused, 'guess was refused'));
  const looked = `${guesses} of at most ${most} looked at, ${refused} refused`;
  return { promise: 'guesses at a password are limited', broken, looked };
}
