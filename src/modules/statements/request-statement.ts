import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { randomId } from '#lib/random.ts';
import type { Throttles } from '#modules/throttles';
import { getCustomerWallet } from '#modules/wallets';
import type { Asked } from './issue-statement.ts';
import { readPeriod } from './period.ts';
import { insertRequested } from './store.ts';

/** Each is mailed: a customer's mailbox is not to be filled. */
const PER_WALLET = { name: 'asynchronous statements', points: 20, windowS: 3600 };

/**
 * Leaves a statement to a worker, which checks it and mails its link where the customer has an address. Its end is as that
 * of a synchronous one: now, when it was asked for.
 *
 * @returns its reference
 * @throws DomainError INVALID_PARAMETER for a period that there is no statement of, WALLET_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function requestStatement(
  resources: { db: Database; keyring: Keyring; clock: Clock; throttles: Throttles },
  { partnerId, customerId, format, ...days }: Asked,
): Promise<string> {
  const now = resources.clock.now();
  const period = readPeriod(days, now);
  const wallet = await getCustomerWallet(resources, { partnerId, customerId });
  await resources.throttles.take(PER_WALLET, wallet.reference);
  const reference = `STM-${randomId()}`;
  await insertRequested(resources.db, {
    ...period,
    reference,
    walletId: wallet.id,
    format,
    dueAt: now,
    createdAt: now,
  });
  return reference;
}
