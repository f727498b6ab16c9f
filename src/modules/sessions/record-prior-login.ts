import type { Tx } from '#lib/database.ts';
import { insertAcquaintance } from './store.ts';

/** Notes that a customer has proved herself at a partner: guesses at other partners do not slow her logins there. */
export async function recordPriorLogin(
  tx: Tx,
  pair: { partnerId: string; customerId: string },
  now: Date,
): Promise<void> {
  await insertAcquaintance(tx, pair, now);
}
