import { countOfWaiting } from '#lib/waiting.ts';

/** Messages of providers that differ from what is booked. */
export const differingMessages = countOfWaiting(
  'inbox.differing',
  `select received_at as at from inbox.message where state in ('RECEIVED', 'DIFFERENT') and state = 'DIFFERENT'`,
);
