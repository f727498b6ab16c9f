import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { AccountHolder, LinkedAccountRow } from './store.ts';

/** A customer's bank account, as the customer and the partner see it. */
export interface LinkedAccount {
  accountNumber: string;
  bankCode: string;
  bankName: string;
  /** As the bank writes it. */
  accountName: string;
  linkedAt: Date;
}

const KEY = ['customer_id', 'partner_id'];
const columns = {
  accountNumber: { table: 'bank_accounts.linked_account', column: 'account_number_sealed', row: KEY },
  accountName: { table: 'bank_accounts.linked_account', column: 'account_name_sealed', row: KEY },
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** What an account is recognised by, without its number. */
export const accountIndex = (
  keyring: Keyring,
  { bankCode, accountNumber }: Pick<LinkedAccount, 'bankCode' | 'accountNumber'>,
): Buffer => keyring.blindIndex('bank_account.account', `${bankCode}:${accountNumber}`);

/** An account as it is stored. */
export const sealAccount = (keyring: Keyring, { customerId, partnerId }: AccountHolder, account: LinkedAccount) => ({
  bankCode: account.bankCode,
  bankName: account.bankName,
  accountNumberSealed: keyring.seal(columns.accountNumber, [customerId, partnerId], account.accountNumber),
  accountNameSealed: keyring.seal(columns.accountName, [customerId, partnerId], account.accountName),
  accountIndex: accountIndex(keyring, account),
  linkedAt: account.linkedAt,
});

/** A stored account in the clear. */
export const openAccount = (keyring: Keyring, row: LinkedAccountRow): LinkedAccount => ({
  accountNumber: keyring.open(columns.accountNumber, [row.customerId, row.partnerId], row.accountNumberSealed),
  bankCode: row.bankCode,
  bankName: row.bankName,
  accountName: keyring.open(columns.accountName, [row.customerId, row.partnerId], row.accountNameSealed),
  linkedAt: row.linkedAt,
});
