import type { Keyring } from '#lib/crypto/keyring.ts';
import type { AssignedAccount } from '../../providers/inbound/port.ts';
import { openAccount } from './sealed-account.ts';
import type { AccountRow } from './store.ts';

/** An account number of a wallet. */
export interface AccountView extends AssignedAccount {
  provider: string;
  createdAt: Date;
}

/** An account that was assigned. */
export function toView(keyring: Keyring, row: AccountRow): AccountView {
  const { wallet, accountNumberSealed, accountNameSealed, bankName, bankCode, provider, assignedAt } = row;
  if (accountNumberSealed === null || accountNameSealed === null || bankName === null || bankCode === null) {
    throw new Error(`account ${row.id} has no number yet`);
  }
  const account = openAccount(keyring, {
    wallet,
    provider,
    accountNumberSealed,
    accountNameSealed,
    bankName,
    bankCode,
  });
  return { ...account, provider, createdAt: assignedAt ?? row.createdAt };
}
