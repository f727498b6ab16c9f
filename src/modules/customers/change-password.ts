import type { Tx } from '#lib/database.ts';
import { lockCredentials, updatePasswordHash } from './store.ts';

/** Changes a customer's password. Waits for logins under way with the old one, so that what they made can be ended. */
export async function changePassword(tx: Tx, customerId: string, passwordHash: string, now: Date): Promise<void> {
  await updatePasswordHash(tx, customerId, passwordHash, now);
}

/** True while this is her password's hash and her PayTag is not closed; then both stay so until this transaction is over. */
export async function mayLogIn(tx: Tx, customerId: string, passwordHash: string): Promise<boolean> {
  const found = await lockCredentials(tx, customerId);
  return found?.passwordHash === passwordHash && found.tagStatus !== 'CLOSED';
}
