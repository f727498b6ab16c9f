import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { changeSubjectName, payTagApplicationId } from '#modules/clients';
import { type Customer, findRegistration, fullName, lockCustomer, recordProven } from '#modules/customers';
import type { BvnProvider } from '../../providers/bvn/port.ts';
import { askRegister, confirmedBy } from './verify-bvn.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock; bvn: BvnProvider };

/**
 * Records what the register proves of a customer's contacts and other name where no phone is proven yet: they are from
 * before these were compared. Their phone on record is proven if the register holds it; otherwise the register's own takes
 * its place. Of somebody whose BVN was handed back to its owner nothing is asked.
 *
 * @throws DomainError BVN_PROVIDER_UNAVAILABLE
 */
export async function proveByRegister({ db, transact, keyring, clock, bvn }: Deps, customer: Customer): Promise<void> {
  const { id, firstName, lastName, otherName, phone, email, proven } = customer;
  if (proven.phone !== undefined) return;
  const registration = await findRegistration(db, keyring, id);
  if (registration === undefined) return;
  const claim = { ...registration, firstName, lastName, otherName, email };
  let verdict = await askRegister(bvn, { ...claim, phone });
  if (verdict.outcome === 'mismatch' && phone !== undefined) verdict = await askRegister(bvn, claim);
  if (verdict.outcome !== 'verified') return;
  const confirmed = confirmedBy(verdict, claim);
  await transact(async (tx) => {
    const { customer: stands } = await lockCustomer(tx, id);
    if (stands.phoneProvenAt !== null) return; // meanwhile by the customer, who comes first
    if (stands.bvnHandedBackAt !== null || stands.erasedAt !== null) return; // what it proves is its owner's
    await recordProven(tx, keyring, stands, confirmed, clock.now());
    if (!confirmed.isOtherNameConfirmed) return;
    const subject = { applicationId: payTagApplicationId, externalId: id };
    await changeSubjectName(tx, subject, fullName({ ...customer, isOtherNameConfirmed: true }));
  });
}
