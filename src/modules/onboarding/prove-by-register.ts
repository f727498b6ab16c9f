import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { type Customer, findCustomer, findRegistration, lockCustomer, recordProven } from '#modules/customers';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { askRegister } from './verify-bvn.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; bvn: BvnProvider };

/**
 * Records what the register proves of a customer's contacts where no phone is proven yet: they are from before phones were
 * compared. Their phone on record is proven if the register holds it; otherwise the register's own takes its place.
 *
 * @throws DomainError BVN_PROVIDER_UNAVAILABLE
 */
export async function proveByRegister(
  { db, transact, keyring, clock, bvn }: Deps,
  { id, firstName, lastName, phone, email, proven }: Customer,
): Promise<void> {
  if (proven.phone !== undefined) return;
  const claim = { ...(await findRegistration(db, keyring, id)), firstName, lastName, email };
  let verdict = await askRegister(bvn, { ...claim, phone });
  if (verdict.outcome === 'mismatch' && phone !== undefined) verdict = await askRegister(bvn, claim);
  if (verdict.outcome !== 'verified') return;
  const registered = { phone: verdict.phone, email: verdict.holdsEmail ? email : undefined };
  await transact(async (tx) => {
    await lockCustomer(tx, id);
    const stands = await findCustomer(tx, keyring, id);
    if (stands?.proven.phone !== undefined) return; // meanwhile by the customer, who comes first
    await recordProven(tx, keyring, { customerId: id, proven: registered, now: clock.now() });
  });
}
