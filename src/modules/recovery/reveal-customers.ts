import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { findHandles } from '#modules/customers';
import { type Revealable, type Revealed, reveal } from './reveal-customer.ts';
import { noSuchCustomer } from './view-customer.ts';

/** How many customers can be revealed at once. */
export const REVEALED_MAX = 100;

/**
 * Shows what is on record of customers in the clear, of all or of none of them. Each is audited by themselves, as one who is
 * revealed alone.
 *
 * @param request.ids each counts once
 * @throws DomainError CUSTOMER_NOT_FOUND
 */
export async function revealCustomers(
  { transact, keyring, securityLog }: { transact: Transact; keyring: Keyring; securityLog: SecurityLog },
  {
    ids,
    ...request
  }: { actor: string; ids: readonly string[]; reason: string; fields?: readonly Revealable[] | undefined },
): Promise<Revealed[]> {
  const revealed = await transact(async (tx) => {
    const each: Revealed[] = [];
    for (const id of new Set(ids)) each.push(await reveal(tx, keyring, { ...request, id }));
    return each;
  });
  for (const { id } of revealed) securityLog.record('customer_revealed', { customerId: id });
  return revealed;
}

/** Before somebody is asked to approve that they are revealed. @throws DomainError CUSTOMER_NOT_FOUND */
export async function assertCustomersExist({ db }: { db: Database }, ids: readonly string[]): Promise<void> {
  const found = await findHandles(db, ids);
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) throw noSuchCustomer(unknown);
}
