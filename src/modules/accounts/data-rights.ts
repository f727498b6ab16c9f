import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { EraseOf, ExportOf } from '#lib/room.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { exportChangesAbout, recordChange } from '#modules/audit';
import { changeSubjectName, payTagApplicationId } from '#modules/clients';
import {
  type Correction,
  correctRecord,
  eraseCustomer as eraseRecord,
  fullName,
  lockCustomer,
  readBirthDate,
  readName,
} from '#modules/customers';
import { assertPersonName } from '#modules/reserved-names';
import { endWallets, remainsIn, walletsOfCustomer } from '#modules/wallets';
import { closeTagFor } from './change-tag-status.ts';
import { countReveal, type RevealBudget } from './view-customer.ts';

/** What each room keeps of a person, by the name of its part in the document. */
export type PersonExports = Readonly<Record<string, ExportOf>>;

/** Everything that is kept of a person. */
export interface PersonDocument {
  customerId: string;
  exportedAt: Date;
  /** Each part as its room knows it. */
  data: Record<string, unknown>;
}

/**
 * Everything that is kept of a customer, from all rooms, opened; of long lists the newest, and how many there are. No
 * secret, and nothing that a secret is recognised by. Also of a customer who was erased: what was kept. Audited, and
 * counted with the reveals of the operator.
 *
 * @throws DomainError CUSTOMER_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function exportCustomer(
  deps: {
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    personExports: PersonExports;
    securityLog: SecurityLog;
  } & RevealBudget,
  { actor, id, reason }: { actor: string; id: string; reason: string },
): Promise<PersonDocument> {
  await countReveal(deps, actor);
  const document = await deps.transact(async (tx) => {
    const { tag } = await lockCustomer(tx, id);
    const wallets = await walletsOfCustomer(tx, deps.keyring, id);
    const data: Record<string, unknown> = {};
    for (const [part, exportOf] of Object.entries(deps.personExports)) {
      data[part] = await exportOf({ ...deps, db: tx }, id);
    }
    const others = [tag.id, ...wallets.map(({ view }) => view.reference)];
    data.changesByOperators = await exportChangesAbout(tx, { customerId: id, others });
    const after = { parts: Object.keys(data) };
    await recordChange(tx, { actor, action: 'customer.export', target: id, after, reason });
    return { customerId: id, exportedAt: deps.clock.now(), data };
  });
  deps.securityLog.record('customer_exported', { customerId: id });
  return document;
}

/**
 * Corrects a customer's names, birth date or address, wherever they are shown. Audited: which of
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

type Deps = {
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  publicUrl: string;
  afterSettling: Parameters<typeof endWallets>[1]['afterSettling'];
  /** What each room deletes of a person. */
  personErasures: readonly EraseOf[];
};

/**
 * Erases a customer for good: wallets are revoked, the PayTag is closed, and whatever says who they were is deleted, but the
 * BVN and the name it was verified with, which are kept sealed for five years. The books stay, under the customer's id.
 * From then on they cannot log in or be found; the same person can onboard again. A second call does nothing. Audited.
 *
 * @throws DomainError CUSTOMER_NOT_FOUND; CUSTOMER_STATUS_CONFLICT while they are frozen, unless their BVN was handed back;
 *   CUSTOMER_NOT_EMPTY while money, a hold, a lien or something in suspense remains: each is a line of its errors
 */
export async function eraseCustomer(deps: Deps, action: { actor: string; id: string; reason: string }): Promise<void> {
  await deps.transact((tx) => erase(tx, deps, action));
}

async function erase(
  tx: Tx,
  deps: Deps,
  { actor, id, reason }: { actor: string; id: string; reason: string },
): Promise<void> {
  const { customer, tag } = await lockCustomer(tx, id);
  if (customer.erasedAt !== null) return;
  // One whose BVN was handed back is never released.
  if (customer.frozenAt !== null && customer.bvnHandedBackAt === null) {
    throw new DomainError('CUSTOMER_STATUS_CONFLICT', 'the customer is frozen: release them first');
  }
  const now = deps.clock.now();
  const errors = await remainsIn(tx, deps, id); // offers to a PayTag settle immediately: none is pending
  if (errors.length > 0) {
    throw new DomainError('CUSTOMER_NOT_EMPTY', 'something remains that is the customer’s: see `errors`', { errors });
  }
  await endWallets(tx, deps, { customerId: id, actor, reason }, now);
  if (tag.status !== 'CLOSED') await closeTagFor(tx, deps, { actor, handle: tag.handle, reason });
  for (const eraseOf of deps.personErasures) await eraseOf({ tx, keyring: deps.keyring, now }, id);
  await eraseRecord(tx, deps.keyring, customer, now);
  const before = { status: customer.frozenAt === null ? 'ACTIVE' : 'FROZEN' };
  await recordChange(tx, { actor, action: 'customer.erase', target: id, before, after: { status: 'ERASED' }, reason });
}
