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

const KEY = ['provider_reference', 'wallet'];
const columns = {
  accountNumber: { table: 'payouts.payout', column: 'account_number_sealed', row: KEY },
  accountName: { table: 'payouts.payout', column: 'account_name_sealed', row: KEY },
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** Which payout, before it has an id; and whose. */
type PayoutName = Pick<typeof payout.$inferSelect, 'providerReference' | 'wallet'>;

/** What an account is recognised by, without its number. */
export const payoutAccountIndex = (
  keyring: Keyring,
  { bankCode, accountNumber }: Pick<PayoutAccount, 'bankCode' | 'accountNumber'>,
): Buffer => keyring.blindIndex('payout.account', `${bankCode}:${accountNumber}`);

/** An account as it is stored. */
export const sealPayoutAccount = (
  keyring: Keyring,
  { providerReference, wallet }: PayoutName,
  account: PayoutAccount,
) => ({
  bankCode: account.bankCode,
  bankName: account.bankName,
  accountNumberSealed: keyring.seal(columns.accountNumber, [providerReference, wallet], account.accountNumber),
  accountNameSealed: keyring.seal(columns.accountName, [providerReference, wallet], account.accountName),
  accountIndex: payoutAccountIndex(keyring, account),
});

/** A stored account in the clear. */
export const openPayoutAccount = (
  keyring: Keyring,
  row: PayoutName &
    Pick<typeof payout.$inferSelect, 'bankCode' | 'bankName' | 'accountNumberSealed' | 'accountNameSealed'>,
): PayoutAccount => ({
  accountNumber: keyring.open(columns.accountNumber, [row.providerReference, row.wallet], row.accountNumberSealed),
  bankCode: row.bankCode,
  bankName: row.bankName,
  accountName: keyring.open(columns.accountName, [row.providerReference, row.wallet], row.accountNameSealed),
});
