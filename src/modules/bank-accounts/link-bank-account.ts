import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { findCustomer, isFrozen } from '#modules/customers';
import type { Throttles } from '#modules/throttles';
import type { BankProvider } from '../../providers/bank/port.ts';
import { enquireAccount } from './enquire-account.ts';
import { accountIndex, type LinkedAccount, openAccount, sealAccount } from './linked-account.ts';
import { isNamedAfter } from './name-match.ts';
import { type AccountHolder, selectLinked, upsertLinked } from './store.ts';

type Deps = {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  bank: BankProvider;
  throttles: Throttles;
};

/** Name enquiries of one customer: each tells whether an account exists, and somebody pays for it. */
const ENQUIRIES = { name: 'name enquiries', points: 30, windowS: 3_600 };

/**
 * Links a bank account to a customer's wallet at a partner, once the bank says that it is in the customer's name. It
 * takes the place of the one before. The account that is linked already is answered as it is, and no bank is asked.
 *
 * @param request accountNumber: ten digits
 * @throws DomainError BANK_ACCOUNT_NOT_FOUND, ACCOUNT_NAME_MISMATCH, BANK_PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS;
 *   INVALID_CUSTOMER_TOKEN for one who was frozen or erased a moment ago
 */
export async function linkBankAccount(
  deps: Deps,
  { accountNumber, bankCode, ...holder }: AccountHolder & { accountNumber: string; bankCode: string },
): Promise<LinkedAccount> {
  const { db, keyring, clock, throttles } = deps;
  const linked = await selectLinked(db, holder);
  if (linked?.accountIndex.equals(accountIndex(keyring, { bankCode, accountNumber }))) {
    return openAccount(keyring, linked);
  }
  const claimant = await findCustomer(db, keyring, holder.customerId);
  if (claimant === undefined) throw new Error('a token was issued to a customer who does not exist');
  await throttles.take(ENQUIRIES, holder.customerId);
  const { firstName, otherName, lastName } = claimant; // and nothing else of what is known of the customer
  const account = await enquireAccount(deps, { accountNumber, bankCode, claimant: { firstName, otherName, lastName } });
  if (!isNamedAfter(account.accountName, claimant)) {
    throw new DomainError('ACCOUNT_NAME_MISMATCH', 'accountNumber: the account is not in the name of the customer');
  }
  const linkedAt = clock.now();
  const sealed = sealAccount(keyring, holder, { accountNumber, bankCode, ...account, linkedAt });
  const stored = await deps.transact(async (tx) => {
    if (await isFrozen(tx, keyring, holder.customerId)) {
      throw new DomainError('INVALID_CUSTOMER_TOKEN', 'the token is not valid: log in again');
    }
    return upsertLinked(tx, sealed);
  });
  return openAccount(keyring, stored);
}
