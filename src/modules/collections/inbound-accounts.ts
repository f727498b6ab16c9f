import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { callers } from '#lib/security-events.ts';
import { findCustomer } from '#modules/customers';
import { type FoundWallet, findPayingWallet, findWallet, type PayingWallet } from '#modules/wallets';
import {
  type AccountClaim,
  type AssignedAccount,
  type InboundProvider,
  InboundProviderDown,
} from '../../providers/inbound/port.ts';
import {
  type AccountRow,
  claimAccount,
  completeAccount,
  releaseAccount,
  selectAccount,
  selectAssigned,
  selectWalletOf,
} from './store.ts';

type Deps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  inboundProvider: InboundProvider | undefined;
  inbound: { leaseMs: number };
};

/**
 * Gives a wallet an account number at the provider's bank, or answers the one that it has: never two, even if a process dies
 * between the provider and us.
 *
 * @throws DomainError PROVIDER_NOT_CONFIGURED, WALLET_NOT_FOUND, CURRENCY_MISMATCH for a wallet of another currency than naira,
 *   BUSY while another request asks for it, INBOUND_PROVIDER_UNAVAILABLE also where it answers the number of another wallet
 */
export async function assignAccount(
  deps: Deps,
  { partnerId, walletReference }: { partnerId: string; walletReference: string },
): Promise<AccountView> {
  const { db, keyring, clock, inboundProvider: provider, inbound } = deps;
  const wallet = await findPayingWallet(db, keyring, { partnerId, reference: walletReference });
  if (provider === undefined) {
    throw new DomainError('PROVIDER_NOT_CONFIGURED', 'this installation has no provider of account numbers');
  }
  if (wallet.currency !== 'NGN') throw new DomainError('CURRENCY_MISMATCH', 'only a wallet in NGN has account numbers');
  const which = { wallet: wallet.reference, provider: provider.name };
  const now = clock.now();
  const [known, claim] = await Promise.all([selectAccount(db, which), claimOf(deps, wallet)]);
  if (known?.assignedAt) return toView(keyring, known);

  const until = new Date(now.getTime() + inbound.leaseMs);
  const claimed = await claimAccount(db, [which.wallet, partnerId, which.provider, now, until]);
  if (claimed.length > 0) await requestAccount(deps, provider, { ...claim, partnerId });
  const row = await selectAccount(db, which);
  if (row?.assignedAt) return toView(keyring, row);
  throw new DomainError('BUSY', 'another request is assigning the account number: send the same request again', {
    retryAfterS: 1,
  });
}

async function requestAccount(
  { db, keyring, clock, log }: Deps,
  provider: InboundProvider,
  { partnerId, ...claim }: AccountClaim & { partnerId: string },
): Promise<void> {
  const { wallet } = claim;
  try {
    const assigned = await provider.assign(claim);
    const sealed = sealAccount(keyring, { wallet, partnerId, provider: provider.name }, assigned);
    const { accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode } = sealed;
    const values = [accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode, clock.now()];
    const written = await completeAccount(db, [
      wallet,
      provider.name,
      ...values,
      callers.getStore()?.requestId ?? null,
    ]);
    if (written.length > 0 || (await selectAccount(db, { wallet, provider: provider.name }))?.assignedAt) return;
    const fields = { event: 'account_number.duplicate', wallet, provider: provider.name };
    log.error(fields, 'a provider assigned one account number to two wallets: ask its support');
    throw new InboundProviderDown('its account number is that of another wallet');
  } catch (cause) {
    await releaseAccount(db, [wallet, provider.name, clock.now()]);
    if (!(cause instanceof InboundProviderDown)) throw cause;
    const message = 'the provider of account numbers gave no usable answer: send the same request again';
    throw new DomainError('INBOUND_PROVIDER_UNAVAILABLE', message, { cause });
  }
}

async function claimOf(
  { db, keyring }: Deps,
  { reference: wallet, account, owner }: PayingWallet,
): Promise<AccountClaim> {
  if (typeof owner !== 'string') return { wallet, account, firstName: owner.firstName, lastName: owner.lastName };
  const customer = await findCustomer(db, keyring, owner);
  if (customer === undefined) throw new Error(`wallet ${wallet} belongs to a customer who does not exist`);
  const { firstName, lastName, phone } = customer;
  return { wallet, account, firstName, lastName, phone };
}

/** The account numbers of a partner's wallet, the oldest first. @throws DomainError WALLET_NOT_FOUND */
export async function listAccounts(
  { db, keyring }: { db: Executor; keyring: Keyring },
  { partnerId, walletReference }: { partnerId: string; walletReference: string },
): Promise<AccountView[]> {
  const { reference } = await findWallet(db, keyring, { partnerId, reference: walletReference });
  return (await selectAssigned(db, { wallet: reference })).map((row) => toView(keyring, row));
}

/**
 * The wallet of an account number of a provider, also one that is revoked; undefined for an unknown number.
 *
 * @throws AlteredRecord where the stored row was altered: money would reach the wrong wallet
 */
export async function findWalletOfNumber(
  { db, keyring }: { db: Executor; keyring: Keyring },
  number: { provider: string; accountNumber: string },
): Promise<FoundWallet | undefined> {
  const found = await selectWalletOf(db, keyring, { accountIndex: accountIndexOf(keyring, number) });
  if (found === undefined) return undefined;
  const { row, wallet } = found;
  const matches = toView(keyring, row).accountNumber === number.accountNumber && row.partnerId === wallet.partnerId;
  if (!matches) throw new AlteredRecord('inbound_accounts.account', [row.wallet, row.provider]);
  return { reference: row.wallet, partnerId: wallet.partnerId, account: wallet.accountId };
}

/** An account number of a wallet. */
export interface AccountView extends AssignedAccount {
  provider: string;
  createdAt: Date;
}

/** An assigned account. @throws AlteredRecord where its row was altered */
export function toView(keyring: Keyring, row: AccountRow): AccountView {
  const { provider, assignedAt, createdAt } = row;
  return { ...openAccount(keyring, numberOf(row)), provider, createdAt: assignedAt ?? createdAt };
}

/** A row that has its number. */
function numberOf(row: AccountRow): SealedAccount {
  const { accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode } = row;
  if (
    accountNumberSealed === null ||
    accountIndex === null ||
    accountNameSealed === null ||
    bankName === null ||
    bankCode === null
  ) {
    throw new Error(`account ${row.id} has no number yet`);
  }
  return { ...row, accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode };
}

/** The sealed values open with exactly these columns, so that a payment to a number reaches its wallet. */
const KEY = ['wallet', 'partner_id', 'provider', 'account_index', 'bank_code'];

const columns = {
  accountNumber: { table: 'inbound_accounts.account', column: 'account_number_sealed', row: KEY },
  accountName: { table: 'inbound_accounts.account', column: 'account_name_sealed', row: KEY },
} as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** A wallet has one account at a provider. */
export interface AccountOwner {
  wallet: string;
  partnerId: string;
  provider: string;
}

/** An account as it is stored. */
export type SealedAccount = AccountOwner & {
  accountNumberSealed: Buffer;
  accountIndex: Buffer;
  accountNameSealed: Buffer;
  bankName: string;
  bankCode: string;
};

const keyOf = (row: AccountOwner & Pick<SealedAccount, 'accountIndex' | 'bankCode'>) => [
  row.wallet,
  row.partnerId,
  row.provider,
  row.accountIndex,
  row.bankCode,
];

/** The blind index of an account number. */
const accountIndexOf = (
  keyring: Keyring,
  { provider, accountNumber }: { provider: string; accountNumber: string },
): Buffer => keyring.blindIndex('inbound_account.account', `${provider}:${accountNumber}`);

/** An account as it is stored. */
function sealAccount(keyring: Keyring, owner: AccountOwner, account: AssignedAccount): SealedAccount {
  const { accountNumber, accountName, bankName, bankCode } = account;
  const { provider } = owner;
  const named = { ...owner, accountIndex: accountIndexOf(keyring, { provider, accountNumber }), bankCode };
  return {
    ...named,
    bankName,
    accountNumberSealed: keyring.seal(columns.accountNumber, keyOf(named), accountNumber),
    accountNameSealed: keyring.seal(columns.accountName, keyOf(named), accountName),
  };
}

/** A stored account in the clear. @throws AlteredRecord where its row was altered */
const openAccount = (keyring: Keyring, stored: SealedAccount): AssignedAccount => ({
  accountNumber: keyring.open(columns.accountNumber, keyOf(stored), stored.accountNumberSealed),
  accountName: keyring.open(columns.accountName, keyOf(stored), stored.accountNameSealed),
  bankName: stored.bankName,
  bankCode: stored.bankCode,
});
