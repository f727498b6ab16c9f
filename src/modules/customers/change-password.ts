import type { Tx } from '../../lib/database.ts';
import { lockPasswordHash, updatePasswordHash } from './store.ts';

/** Changes a customer's password. Waits for logins under way with the old one, so that what they made can be ended. */
export async function changePassword(tx: Tx, customerId: string, passwordHash: string, now: Date): Promise<void> {
  await updatePasswordHash(tx, customerId, passwordHash, now);
}

/** True when this is her password's hash still; then it is until this transaction is over. */
export async function isPasswordOf(tx: Tx, customerId: string, passwordHash: string): Promise<boolean> {
  return (await lockPasswordHash(tx, customerId)) === passwordHash;
}
