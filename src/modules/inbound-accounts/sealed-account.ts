import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { AssignedAccount } from '../../providers/inbound/port.ts';

/** The purpose each sealed column is sealed for, and the blind index keyed for. */
const purposes = {
  accountNumber: 'inbound_account.account_number',
  accountName: 'inbound_account.account_name',
  account: 'inbound_account.account',
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'inbound_accounts.account', column: 'account_number_sealed', purpose: purposes.accountNumber },
  { table: 'inbound_accounts.account', column: 'account_name_sealed', purpose: purposes.accountName },
];

/** What an account is found by, without its number. */
export const accountIndexOf = (
  keyring: Keyring,
  { provider, accountNumber }: { provider: string; accountNumber: string },
): Buffer => keyring.blindIndex(purposes.account, `${provider}:${accountNumber}`);

/** An account as it is stored. */
export const sealAccount = (keyring: Keyring, provider: string, account: AssignedAccount) => ({
  accountNumberSealed: keyring.seal(purposes.accountNumber, account.accountNumber),
  accountIndex: accountIndexOf(keyring, { provider, accountNumber: account.accountNumber }),
  accountNameSealed: keyring.seal(purposes.accountName, account.accountName),
  bankName: account.bankName,
  bankCode: account.bankCode,
});

/** A stored account in the clear. */
export const openAccount = (
  keyring: Keyring,
  sealed: { accountNumberSealed: Buffer; accountNameSealed: Buffer; bankName: string; bankCode: string },
): AssignedAccount => ({
  accountNumber: keyring.open(purposes.accountNumber, sealed.accountNumberSealed),
  accountName: keyring.open(purposes.accountName, sealed.accountNameSealed),
  bankName: sealed.bankName,
  bankCode: sealed.bankCode,
});
