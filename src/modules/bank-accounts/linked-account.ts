import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { LinkedAccountRow } from './store.ts';

/** A customer's bank account, as the customer and the partner see it. */
export interface LinkedAccount {
  accountNumber: string;
  bankCode: string;
  bankName: string;
  /** As the bank writes it. */
  accountName: string;
  linkedAt: Date;
}

/** The purpose each sealed column is sealed for, and the blind index keyed for. */
const purposes = {
  accountNumber: 'bank_account.number',
  accountName: 'bank_account.name',
  account: 'bank_account.account',
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'bank_accounts.linked_account', column: 'account_number_sealed', purpose: purposes.accountNumber },
  { table: 'bank_accounts.linked_account', column: 'account_name_sealed', purpose: purposes.accountName },
];

/** What an account is recognised by, without its number. */
export const accountIndex = (
  keyring: Keyring,
  { bankCode, accountNumber }: Pick<LinkedAccount, 'bankCode' | 'accountNumber'>,
): Buffer => keyring.blindIndex(purposes.account, `${bankCode}:${accountNumber}`);

/** An account as it is stored. */
export const sealAccount = (keyring: Keyring, account: LinkedAccount) => ({
  bankCode: account.bankCode,
  bankName: account.bankName,
  accountNumberSealed: keyring.seal(purposes.accountNumber, account.accountNumber),
  accountNameSealed: keyring.seal(purposes.accountName, account.accountName),
  accountIndex: accountIndex(keyring, account),
  linkedAt: account.linkedAt,
});

/** A stored account in the clear. */
export const openAccount = (keyring: Keyring, row: LinkedAccountRow): LinkedAccount => ({
  accountNumber: keyring.open(purposes.accountNumber, row.accountNumberSealed),
  bankCode: row.bankCode,
  bankName: row.bankName,
  accountName: keyring.open(purposes.accountName, row.accountNameSealed),
  linkedAt: row.linkedAt,
});
