import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { AssignedAccount } from '../../providers/inbound/port.ts';

/** Whose it is, and which: what is sealed opens with these alone, so that what is paid to a number reaches its wallet. */
const KEY = ['wallet', 'partner_id', 'provider', 'account_index', 'bank_code'];
const columns = {
  accountNumber: { table: 'inbound_accounts.account', column: 'account_number_sealed', row: KEY },
  accountName: { table: 'inbound_accounts.account', column: 'account_name_sealed', row: KEY },
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** Whose account: a wallet has one at a provider. */
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

/** What an account is found by, without its number. */
export const accountIndexOf = (
  keyring: Keyring,
  { provider, accountNumber }: { provider: string; accountNumber: string },
): Buffer => keyring.blindIndex('inbound_account.account', `${provider}:${accountNumber}`);

/** An account as it is stored. */
export function sealAccount(keyring: Keyring, owner: AccountOwner, account: AssignedAccount): SealedAccount {
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

/** A stored account in the clear. @throws AlteredRecord where it is not as its provider assigned it */
export const openAccount = (keyring: Keyring, stored: SealedAccount): AssignedAccount => ({
  accountNumber: keyring.open(columns.accountNumber, keyOf(stored), stored.accountNumberSealed),
  accountName: keyring.open(columns.accountName, keyOf(stored), stored.accountNameSealed),
  bankName: stored.bankName,
  bankCode: stored.bankCode,
});
