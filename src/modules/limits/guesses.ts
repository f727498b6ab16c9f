/**
 * What is guessed at, and what there is to guess: by the names of limits. PostgreSQL counts these, also where there is a Redis:
 * one that is slow, flushed or away would have a count begin anew, and let twice as many guesses through.
 */
export const GUESSES: ReadonlySet<string> = new Set([
  'logins',
  'login credits',
  'wrong answers',
  'wrong codes',
  'codes sent',
  'linking codes',
  'BVNs',
  'unknown BVNs',
]);
