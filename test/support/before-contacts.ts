import { recordProven } from '#modules/customers';
import type { TestApp } from './app.ts';

/** Makes a customer one from before contacts were compared with the register, with these on record: none is proven. */
export async function madeBeforeContacts(
  server: TestApp,
  customerId: string,
  contacts: { phone?: string; email?: string },
): Promise<void> {
  const { db, keyring, clock } = server.resources;
  await recordProven(db, keyring, { customerId, proven: contacts, now: clock.now() });
  await server.owner.query(
    'update customers.customer set phone_proven_at = null, email_proven_at = null where id = $1',
    [customerId],
  );
}
