import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { AssignedAccount } from '../../providers/inbound/port.ts';

const KEY = ['wallet', 'provider'];
const columns = {
  accountNumber: { table: 'inbound_accounts.account', column: 'account_number_sealed', row: KEY },
  accountName: { table: 'inbound_accounts.account', column: 'account_name_sealed', row: KEY },
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** Which account of ours: a wallet has one at a provider. */
export interface AccountName {
  wallet: string;
  provider: string;
}

/** What an account is found by, without its number. */
export const accountIndexOf = (
  keyring: Keyring,
  { provider, accountNumber }: { provider: string; accountNumber: string },
): Buffer => keyring.blindIndex('inbound_account.account', `${provider}:${accountNumber}`);

/** An account as it is stored. */
export const sealAccount = (keyring: Keyring, { wallet, provider }: AccountName, account: AssignedAccount) => ({
  accountNumberSealed: keyring.seal(columns.accountNumber, [wallet, provider], account.accountNumber),
  accountIndex: accountIndexOf(keyring, { provider, accountNumber: account.accountNumber }),
  accountNameSealed: keyring.seal(columns.accountName, [wallet, provider], account.accountName),
  bankName: account.bankName,
  bankCode: account.bankCode,
});

/** A stored account in the clear. */
export const openAccount = (
  keyring: Keyring,
  {
    wallet,
    provider,
    ...sealed
  }: AccountName & { accountNumberSealed: Buffer; accountNameSealed: Buffer; bankName: string; bankCode: string },
): AssignedAccount => ({
  accountNumber: keyring.open(columns.accountNumber, [wallet, provider], sealed.accountNumberSealed),
  accountName: keyring.open(columns.accountName, [wallet, provider], sealed.accountNameSealed),
  bankName: sealed.bankName,
  bankCode: sealed.bankCode,
});
