import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { EraseOf } from '#lib/room.ts';
import { recordChange } from '#modules/audit';
import { eraseCustomer as eraseRecord, lockCustomer } from '#modules/customers';
import { endWallets, remainsIn } from '#modules/wallets';
import { closeTagFor } from './change-tag-status.ts';

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
 * Nobody logs in as them or finds them from then on, and the same person can onboard anew. Again it does nothing. Audited.
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
  const errors = await remainsIn(tx, deps, id); // an offer to a PayTag is settled at once, so that none can wait
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
