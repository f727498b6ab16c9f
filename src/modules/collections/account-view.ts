import type { Keyring } from '#lib/crypto/keyring.ts';
import type { AssignedAccount } from '../../providers/inbound/port.ts';
import type { AccountRow } from './inbound-account-store.ts';
import { openAccount, type SealedAccount } from './sealed-account.ts';

/** An account number of a wallet. */
export interface AccountView extends AssignedAccount {
  provider: string;
  createdAt: Date;
}

/** An account that was assigned. @throws AlteredRecord where it is not as its provider assigned it */
export function toView(keyring: Keyring, row: AccountRow): AccountView {
  const { provider, assignedAt, createdAt } = row;
  return { ...openAccount(keyring, assigned(row)), provider, createdAt: assignedAt ?? createdAt };
}

/** A row that has its number. */
function assigned(row: AccountRow): SealedAccount {
  const { accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode } = row;
  if (
    accountNumberSealed === null ||
    accountIndex === null ||
    accountNameSealed === null ||
    bankName === null ||
    bankCode === null
  ) {
    throw new Error(`account ${row.id} has no number yet`);
  }
  return { ...row, accountNumberSealed, accountIndex, accountNameSealed, bankName, bankCode };
}
