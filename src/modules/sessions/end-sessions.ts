import type { Tx } from '#lib/database.ts';
import { expireCodesOf, revokeSessionsOf } from './store.ts';

/**
 * Ends a customer's sessions, at one partner or at all: her tokens are refused from the commit on. Codes that could still
 * become a session end first, so that an exchange under way is over, or finds its code gone.
 */
export async function endSessionsOf(
  tx: Tx,
  whose: { customerId: string; partnerId?: string | undefined },
  now: Date,
): Promise<void> {
  await expireCodesOf(tx, whose, now);
  await revokeSessionsOf(tx, whose, now);
}
