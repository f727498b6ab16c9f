import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type AccountHolder, selectLinked } from './bank-account-store.ts';
import { type LinkedAccount, openAccount } from './linked-account.ts';

/** The bank account that a customer linked at a partner. @throws DomainError BANK_ACCOUNT_NOT_LINKED */
export async function getBankAccount(
  { db, keyring }: { db: Database; keyring: Keyring },
  holder: AccountHolder,
): Promise<LinkedAccount> {
  const linked = await selectLinked(db, holder);
  if (linked === undefined) {
    throw new DomainError('BANK_ACCOUNT_NOT_LINKED', 'no bank account is linked: link one first');
  }
  return openAccount(keyring, linked);
}
