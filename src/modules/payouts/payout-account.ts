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

/** The sealed values open with exactly these columns, so that the payout sent is the one ordered. */
const KEY = ['provider_reference', 'wallet', 'partner_id', 'amount', 'bank_code', 'account_index'];
const columns = {
  accountNumber: { table: 'payouts.payout', column: 'account_number_sealed', row: KEY },
  accountName: { table: 'payouts.payout', column: 'account_name_sealed', row: KEY },
} as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

type PayoutRow = typeof payout.$inferSelect;
/** A payout before it has an id. */
type PayoutName = Pick<PayoutRow, 'providerReference' | 'wallet' | 'partnerId' | 'amount'>;

const keyOf = (row: PayoutName & Pick<PayoutRow, 'bankCode' | 'accountIndex'>) => [
  row.providerReference,
  row.wallet,
  row.partnerId,
  row.amount,
  row.bankCode,
  row.accountIndex,
];

/** The blind index of an account number. */
export const payoutAccountIndex = (
  keyring: Keyring,
  { bankCode, accountNumber }: Pick<PayoutAccount, 'bankCode' | 'accountNumber'>,
): Buffer => keyring.blindIndex('payout.account', `${bankCode}:${accountNumber}`);

/** Seals a payout's account, bound to its order. */
export function sealPayoutAccount(keyring: Keyring, ordered: PayoutName, account: PayoutAccount) {
  const { bankCode, bankName } = account;
  const named = { ...ordered, bankCode, accountIndex: payoutAccountIndex(keyring, account) };
  return {
    ...named,
    bankName,
    accountNumberSealed: keyring.seal(columns.accountNumber, keyOf(named), account.accountNumber),
    accountNameSealed: keyring.seal(columns.accountName, keyOf(named), account.accountName),
  };
}

/** A stored account in the clear. @throws AlteredRecord where the stored payout was altered */
export const openPayoutAccount = (
  keyring: Keyring,
  row: Parameters<typeof keyOf>[0] & Pick<PayoutRow, 'bankName' | 'accountNumberSealed' | 'accountNameSealed'>,
): PayoutAccount => ({
  accountNumber: keyring.open(columns.accountNumber, keyOf(row), row.accountNumberSealed),
  bankCode: row.bankCode,
  bankName: row.bankName,
  accountName: keyring.open(columns.accountName, keyOf(row), row.accountNameSealed),
});
