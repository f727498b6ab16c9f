import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { holdsNames, nameWords } from '#lib/text/name-match.ts';
import { findCustomer, isFrozen } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { type AccountClaim, type BankAccount, type BankProvider, BankProviderDown } from '../../providers/bank/port.ts';
import { type AccountHolder, selectLinked, upsertLinked } from './bank-account-store.ts';
import { accountIndex, type LinkedAccount, openAccount, sealAccount } from './linked-account.ts';

/** Words by which an account is a company's, or has a second holder: money paid there is not the customer's alone. */
const NOT_ONE_PERSON: ReadonlySet<string> = new Set(
  'AND LTD LIMITED PLC LLC INC COMPANY ENTERPRISE ENTERPRISES VENTURE VENTURES TRADING STORES SERVICES HOLDINGS FOUNDATION'.split(
    ' ',
  ),
);

/**
 * Whether a bank account's name is a person's: their first and their last name are both in it, in any order, with any
 * other names beside them. Case, accents and punctuation make no difference, and a compound name may be written in one
 * word (ADEOJO), with a hyphen (ADE-OJO) or in two (ADE OJO). No word of the account stands for two names. A company's
 * account, or one with a second holder, is not theirs.
 */
export function isNamedAfter(
  accountName: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): boolean {
  const names = [nameWords(firstName), nameWords(lastName)];
  const account = nameWords(accountName.replaceAll(/[&+]/g, ' AND '));
  const beside = account.filter((word) => !names.flat().includes(word));
  if (beside.some((word) => NOT_ONE_PERSON.has(word))) return false;
  return holdsNames(account, names);
}

/**
 * Whose an account is, as its bank says. Never inside a transaction: the bank may be slow.
 *
 * @throws DomainError BANK_ACCOUNT_NOT_FOUND, BANK_PROVIDER_UNAVAILABLE
 */
export async function enquireAccount({ bank }: { bank: BankProvider }, claim: AccountClaim): Promise<BankAccount> {
  let account: BankAccount | undefined;
  try {
    account = await bank.enquire(claim);
  } catch (cause) {
    if (!(cause instanceof BankProviderDown)) throw cause;
    throw new DomainError('BANK_PROVIDER_UNAVAILABLE', 'the bank did not answer: send the same request again', {
      retryAfterS: 5,
      cause,
    });
  }
  if (account === undefined) {
    throw new DomainError('BANK_ACCOUNT_NOT_FOUND', 'accountNumber: no such account at this bank');
  }
  return account;
}

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
