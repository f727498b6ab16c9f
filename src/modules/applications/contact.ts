import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/database.ts';
import { selectRegistered } from './application-store.ts';
import { APPLICATION_EMAIL } from './sealed-columns.ts';

/** Who is told what becomes of an application's webhooks: whoever registered it. Undefined for what is no registered one. */
export async function readApplicationContact(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<{ name: string; email: string | undefined } | undefined> {
  const found = await selectRegistered(db, id);
  if (found === undefined) return undefined;
  const { name, emailSealed } = found;
  return { name, email: emailSealed === null ? undefined : keyring.open(APPLICATION_EMAIL, [id], emailSealed) };
}
