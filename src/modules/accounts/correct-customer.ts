import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { changeSubjectName, payTagApplicationId } from '#modules/clients';
import { type Correction, correctRecord, fullName, lockCustomer, readBirthDate, readName } from '#modules/customers';
import { assertPersonName } from '#modules/reserved-names';

/**
 * Corrects a customer's names, birth date or address; whoever is shown them is shown these from then on. Audited: which of
 * them, not what they were or are.
 *
 * @throws DomainError CUSTOMER_NOT_FOUND; INVALID_PARAMETER, also when nothing is given; NAME_RESERVED;
 *   CUSTOMER_STATUS_CONFLICT for one who was erased
 */
export async function correctCustomer(
  { transact, keyring, clock }: { transact: Transact; keyring: Keyring; clock: Clock },
  { actor, id, reason, ...given }: Correction & { actor: string; id: string; reason: string },
): Promise<void> {
  const now = clock.now();
  const correction = readCorrection(given, now);
  const fields = Object.keys(correction);
  if (fields.length === 0)
    throw new DomainError('INVALID_PARAMETER', 'firstName: give it, or another field to correct');
  await transact(async (tx) => {
    const { customer } = await lockCustomer(tx, id);
    if (customer.erasedAt !== null) throw new DomainError('CUSTOMER_STATUS_CONFLICT', 'the customer was erased');
    const { firstName, lastName } = customer;
    const names = { firstName, lastName, otherName: customer.otherName ?? undefined, ...namesIn(correction) };
    if (Object.keys(namesIn(correction)).length > 0) {
      assertPersonName(names);
      const isOtherNameConfirmed = correction.otherName !== undefined || customer.isOtherNameConfirmed;
      const shown = fullName({ ...names, isOtherNameConfirmed });
      await changeSubjectName(tx, { applicationId: payTagApplicationId, externalId: id }, shown);
    }
    await correctRecord(tx, keyring, customer, correction, now);
    await recordChange(tx, { actor, action: 'customer.correct', target: id, after: { fields }, reason });
  });
}

const readCorrection = (
  { firstName, lastName, otherName, dateOfBirth, address }: Correction,
  now: Date,
): Correction => ({
  ...(firstName !== undefined && { firstName: readName('firstName', firstName) }),
  ...(lastName !== undefined && { lastName: readName('lastName', lastName) }),
  ...(otherName !== undefined && { otherName: readName('otherName', otherName) }),
  ...(dateOfBirth !== undefined && { dateOfBirth: readBirthDate(dateOfBirth, now) }),
  ...(address !== undefined && { address }),
});

const namesIn = ({ firstName, lastName, otherName }: Correction) => ({
  ...(firstName !== undefined && { firstName }),
  ...(lastName !== undefined && { lastName }),
  ...(otherName !== undefined && { otherName }),
});
