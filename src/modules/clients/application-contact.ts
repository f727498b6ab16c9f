import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { APPLICATION_EMAIL } from './application-sealed-columns.ts';
import { type ApplicationRow, selectRegistered } from './application-store.ts';
import type { Addressee } from './write-letter.ts';

/** Who is told what becomes of an application's webhooks: whoever registered it. Undefined for what is no registered one. */
export async function readApplicationContact(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<{ name: string; email: string | undefined } | undefined> {
  const found = await selectRegistered(db, id);
  if (found === undefined) return undefined;
  const { ownerName: name, email } = addresseeOf(keyring, found);
  return { name, email };
}

/** Whom letters to an application go to: whoever registered it. */
export const addresseeOf = (keyring: Keyring, { id, name, emailSealed }: ApplicationRow): Addressee => ({
  ownerKind: 'APPLICATION',
  ownerId: id,
  ownerName: name,
  email: emailSealed === null ? undefined : keyring.open(APPLICATION_EMAIL, [id], emailSealed),
});
