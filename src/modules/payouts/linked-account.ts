import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { AccountHolder, LinkedAccountRow } from './bank-account-store.ts';

/** A customer's bank account, as the customer and the partner see it. */
export interface LinkedAccount {
  accountNumber: string;
  bankCode: string;
  bankName: string;
  /** As the bank writes it. */
  accountName: string;
  linkedAt: Date;
}

/** Whose it is, and at which bank: what is sealed opens with these alone, so that a payout goes where its owner said. */
const KEY = ['customer_id', 'partner_id', 'bank_code', 'account_index'];
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
export function sealAccount(keyring: Keyring, holder: AccountHolder, account: LinkedAccount) {
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
