import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { payout } from './tables.ts';

/** The bank account that a payout goes to. */
export interface PayoutAccount {
  /** Ten digits. */
  accountNumber: string;
  bankCode: string;
  bankName: string;
  /** As the bank writes it. */
  accountName: string;
}

/** The purpose each sealed column is sealed for, and the blind index keyed for. */
const purposes = {
  accountNumber: 'payout.account_number',
  accountName: 'payout.account_name',
  account: 'payout.account',
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'payouts.payout', column: 'account_number_sealed', purpose: purposes.accountNumber },
  { table: 'payouts.payout', column: 'account_name_sealed', purpose: purposes.accountName },
];

/** What an account is recognised by, without its number. */
export const payoutAccountIndex = (
  keyring: Keyring,
  { bankCode, accountNumber }: Pick<PayoutAccount, 'bankCode' | 'accountNumber'>,
): Buffer => keyring.blindIndex(purposes.account, `${bankCode}:${accountNumber}`);

/** An account as it is stored. */
export const sealPayoutAccount = (keyring: Keyring, account: PayoutAccount) => ({
  bankCode: account.bankCode,
  bankName: account.bankName,
  accountNumberSealed: keyring.seal(purposes.accountNumber, account.accountNumber),
  accountNameSealed: keyring.seal(purposes.accountName, account.accountName),
  accountIndex: payoutAccountIndex(keyring, account),
});

/** A stored account in the clear. */
export const openPayoutAccount = (
  keyring: Keyring,
  row: Pick<typeof payout.$inferSelect, 'bankCode' | 'bankName' | 'accountNumberSealed' | 'accountNameSealed'>,
): PayoutAccount => ({
  accountNumber: keyring.open(purposes.accountNumber, row.accountNumberSealed),
  bankCode: row.bankCode,
  bankName: row.bankName,
  accountName: keyring.open(purposes.accountName, row.accountNameSealed),
});
