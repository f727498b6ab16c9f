import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { type Customer, findRegistration, recordProven } from '#modules/customers';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { askRegister } from './verify-bvn.ts';

/**
 * A customer, with what the register proves of their contacts where no phone is proven yet: they are from before phones
 * were compared. Their phone on record is proven if the register holds it; otherwise the register's own takes its place.
 *
 * @throws DomainError BVN_PROVIDER_UNAVAILABLE
 */
export async function provenByRegister(
  deps: { db: Database; keyring: Keyring; clock: Clock; bvn: BvnProvider },
  customer: Customer,
): Promise<Customer> {
  if (customer.proven.phone !== undefined) return customer;
  const { firstName, lastName, phone, email } = customer;
  const claim = { ...(await findRegistration(deps.db, deps.keyring, customer.id)), firstName, lastName, email };
  let verdict = await askRegister(deps.bvn, { ...claim, phone });
  if (verdict.outcome === 'mismatch' && phone !== undefined) verdict = await askRegister(deps.bvn, claim);
  if (verdict.outcome !== 'verified') return customer;
  const proven = {
    phone: verdict.phone,
    email: verdict.holdsEmail ? email : customer.proven.email,
  };
  await recordProven(deps.db, deps.keyring, { customerId: customer.id, proven, now: deps.clock.now() });
  return { ...customer, phone: proven.phone ?? phone, proven };
}
