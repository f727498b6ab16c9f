import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import type { Throttles } from '#modules/limits';
import { getCustomerWallet } from '#modules/wallets';
import type { StatementQuery } from './issue-statement.ts';
import { readPeriod } from './period.ts';
import { insertRequested } from './store.ts';

/** Each is mailed: the limit keeps a customer's mailbox from being filled. */
const PER_WALLET = { name: 'asynchronous statements', points: 20, windowS: 3600 };

/**
 * Has a worker prepare a statement, which checks it and mails its link if the customer has an address. A period without an
 * end ends now, not when the worker comes to it.
 *
 * @returns its reference
 * @throws DomainError INVALID_PARAMETER for a period that `readPeriod` refuses, WALLET_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function requestStatement(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock; throttles: Throttles },
  { partnerId, customerId, format, ...days }: StatementQuery,
): Promise<string> {
  const now = deps.clock.now();
  const wallet = await getCustomerWallet(deps, { partnerId, customerId });
  const period = readPeriod(days, { now, movedAt: wallet.wallet.movedAt });
  await deps.throttles.take(PER_WALLET, wallet.reference);
  const reference = `STM-${randomId()}`;
  const statement = { ...period, reference, walletId: wallet.id, format, dueAt: now, createdAt: now };
  await deps.transact(async (tx) => insertRequested(tx, statement));
  return reference;
}
