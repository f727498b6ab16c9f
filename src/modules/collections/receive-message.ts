import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { insertMessage } from './inbox-store.ts';
import { sealBody } from './message-body.ts';

/**
 * Stores what a provider told us, once however often it comes, to be booked by a worker. Whoever calls has made sure that it
 * is the provider's.
 *
 * @param body the bytes as they came
 * @returns false when it is there already
 */
export async function receiveMessage(
  { db, keyring, clock }: { db: Executor; keyring: Keyring; clock: Clock },
  { provider, origin, body }: { provider: string; origin: 'HOOK' | 'COMPARISON'; body: Buffer },
): Promise<boolean> {
  const digest = sha256(body);
  const bodySealed = sealBody(keyring, { provider, digest }, body.toString());
  const stored = await insertMessage(db, [provider, origin, digest, bodySealed, clock.now()]);
  return stored.length > 0;
}
