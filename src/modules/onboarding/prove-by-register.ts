import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { changeSubjectName, payTagApplicationId } from '#modules/applications';
import {
  type Customer,
  confirmOtherName,
  findCustomer,
  findRegistration,
  fullName,
  keepsBvn,
  lockCustomer,
  recordProven,
} from '#modules/customers';
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
  const { isOtherNameConfirmed, ...registered } = confirmedBy(verdict, claim);
  await transact(async (tx) => {
    await lockCustomer(tx, id);
    const stands = await findCustomer(tx, keyring, id);
    if (stands?.proven.phone !== undefined) return; // meanwhile by the customer, who comes first
    if (!(await keepsBvn(tx, id))) return; // what it proves is its owner's
    await recordProven(tx, keyring, { customerId: id, proven: registered, now: clock.now() });
    if (!isOtherNameConfirmed) return;
    await confirmOtherName(tx, id, clock.now());
    const subject = { applicationId: payTagApplicationId, externalId: id };
    await changeSubjectName(tx, subject, fullName({ ...customer, isOtherNameConfirmed }));
  });
}
