import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type LinkedAccount, openedAccount } from './linked-account.ts';
import { type Link, selectLinked } from './store.ts';

/** The bank account that a customer linked at a partner. @throws DomainError BANK_ACCOUNT_NOT_LINKED */
export async function getBankAccount(
  { db, keyring }: { db: Database; keyring: Keyring },
  link: Link,
): Promise<LinkedAccount> {
  const linked = await selectLinked(db, link);
  if (linked === undefined)
    throw new DomainError('BANK_ACCOUNT_NOT_LINKED', 'no bank account is linked: link one first');
  return openedAccount(keyring, linked);
}
