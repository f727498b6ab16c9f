import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { holdsNames, nameWords } from '#lib/text/name-match.ts';
import { findCustomer, isFrozen } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { type AccountClaim, type BankAccount, type BankProvider, BankProviderDown } from '../../providers/bank/port.ts';
import { type AccountHolder, type LinkedAccountRow, selectLinked, upsertLinked } from './store.ts';

/** A customer's bank account, as the customer and the partner see it. */
export interface LinkedAccount {
  accountNumber: string;
  bankCode: string;
  bankName: string;
  /** As the bank writes it. */
  accountName: string;
  linkedAt: Date;
}

/** The bank account that a customer linked at a partner. @throws DomainError BANK_ACCOUNT_NOT_LINKED */
export async function getBankAccount(
  { db, keyring }: { db: Database; keyring: Keyring },
  holder: AccountHolder,
): Promise<LinkedAccount> {
  const linked = await selectLinked(db, holder);
  if (linked === undefined) {
    throw new DomainError('BANK_ACCOUNT_NOT_LINKED', 'no bank account is linked: link one first');
  }
  return openAccount(keyring, linked);
}

type Deps = {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  bank: BankProvider;
  throttles: Throttles;
};

/** Name enquiries of one customer: each reveals whether an account exists, and costs money. */
const ENQUIRIES = { name: 'name enquiries', points: 30, windowS: 3_600 };

/**
 * Links a bank account to a customer's wallet at a partner, once the bank says that it is in the customer's name. It
 * replaces the one before. The account that is linked already is returned without an enquiry.
 *
 * @param request accountNumber: ten digits
 * @throws DomainError BANK_ACCOUNT_NOT_FOUND, ACCOUNT_NAME_MISMATCH, BANK_PROVIDER_UNAVAILABLE, TOO_MANY_REQUESTS;
 *   INVALID_CUSTOMER_TOKEN for a customer who was frozen or erased a moment ago
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
  const { firstName, otherName, lastName } = claimant; // nothing else of the customer goes to the bank
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

/**
 * Name enquiry at the bank. Never inside a transaction: the bank may be slow.
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

/**
 * Whether a bank account's name is a person's: their first and their last name are both in it, in any order, with any
 * other names between them. Case, accents and punctuation make no difference, and a compound name may be written in one
 * word (ADEOJO), with a hyphen (ADE-OJO) or in two (ADE OJO). No word of the account stands for two names. A company's
 * account, or one with a second holder, is not theirs.
 */
export function isNamedAfter(
  accountName: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): boolean {
  const names = [nameWords(firstName), nameWords(lastName)];
  const account = nameWords(accountName.replaceAll(/[&+]/g, ' AND '));
  const others = account.filter((word) => !names.flat().includes(word));
  if (others.some((word) => NOT_ONE_PERSON.has(word))) return false;
  return holdsNames(account, names);
}

/** Words that mark an account of a company or of two holders: money paid there is not the customer's alone. */
const NOT_ONE_PERSON: ReadonlySet<string> = new Set(
  'AND LTD LIMITED PLC LLC INC COMPANY ENTERPRISE ENTERPRISES VENTURE VENTURES TRADING STORES SERVICES HOLDINGS FOUNDATION'.split(
    ' ',
  ),
);

/** The sealed values open with exactly these columns, so that a payout goes to the account that its owner linked. */
const KEY = ['customer_id', 'partner_id', 'bank_code', 'account_index'];

const columns = {
  accountNumber: { table: 'bank_accounts.linked_account', column: 'account_number_sealed', row: KEY },
  accountName: { table: 'bank_accounts.linked_account', column: 'account_name_sealed', row: KEY },
} as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** The blind index of an account number. */
const accountIndex = (
  keyring: Keyring,
  { bankCode, accountNumber }: Pick<LinkedAccount, 'bankCode' | 'accountNumber'>,
): Buffer => keyring.blindIndex('bank_account.account', `${bankCode}:${accountNumber}`);

/** Seals an account for its row. */
function sealAccount(keyring: Keyring, holder: AccountHolder, account: LinkedAccount) {
  const { bankCode, bankName, linkedAt } = account;
  const named = { ...holder, bankCode, accountIndex: accountIndex(keyring, account) };
  return {
    ...named,
    bankName,
    accountNumberSealed: keyring.seal(columns.accountNumber, keyOf(named), account.accountNumber),
    accountNameSealed: keyring.seal(columns.accountName, keyOf(named), account.accountName),
    linkedAt,
  };
}

type AccountName = AccountHolder & Pick<LinkedAccountRow, 'bankCode' | 'accountIndex'>;

const keyOf = ({ customerId, partnerId, bankCode, accountIndex: index }: AccountName) => [
  customerId,
  partnerId,
  bankCode,
  index,
];

/** A stored account in the clear. */
export const openAccount = (keyring: Keyring, row: LinkedAccountRow): LinkedAccount => ({
  accountNumber: keyring.open(columns.accountNumber, keyOf(row), row.accountNumberSealed),
  bankCode: row.bankCode,
  bankName: row.bankName,
  accountName: keyring.open(columns.accountName, keyOf(row), row.accountNameSealed),
  linkedAt: row.linkedAt,
});
