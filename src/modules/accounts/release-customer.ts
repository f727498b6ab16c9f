import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Judge } from '#lib/minor-units.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { lockCustomer, markFrozen, tellCustomer } from '#modules/customers';
import { transitionTag } from '#modules/tags';
import { releaseWallets } from '#modules/wallets';
import { type CustomerAction, statusConflict } from './freeze-customer.ts';
import { type CustomerForOperator, getCustomer } from './view-customer.ts';

type Deps = {
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  securityLog: SecurityLog;
  afterSettling: Parameters<typeof releaseWallets>[1]['afterSettling'];
};

/**
 * Releases a customer who was frozen: they can log in again. Wallets and PayTag are what they were before, except where the
 * operator has changed them since; what ended with the freeze stays ended. Audited, as the freeze was, and told to the customer.
 *
 * @param action.judge of what their wallets hold and what waits for them
 * @throws DomainError CUSTOMER_NOT_FOUND, CUSTOMER_STATUS_CONFLICT when they are not frozen, or their BVN was handed back
 */
export async function releaseCustomer(
  deps: Deps,
  action: CustomerAction & { judge: Judge },
): Promise<CustomerForOperator> {
  const customer = await deps.transact(async (tx) => {
    await release(tx, deps, action, deps.clock.now());
    return getCustomer(deps, tx, action.id);
  });
  deps.securityLog.record('money_freed', { customerId: action.id });
  return customer;
}

async function release(
  tx: Tx,
  deps: Deps,
  { actor, id, reason, judge }: CustomerAction & { judge: Judge },
  now: Date,
): Promise<void> {
  const { customer, tag } = await lockCustomer(tx, id);
  if (customer.frozenAt === null) throw statusConflict('the customer is not frozen');
  if (customer.bvnHandedBackAt !== null) {
    throw statusConflict('the BVN was handed back to its owner: whoever used it stays frozen');
  }
  await markFrozen(tx, deps.keyring, customer, null, now);
  await releaseWallets(tx, deps, { customerId: id, actor, reason, judge }, now);
  // A PayTag that was changed since, or was suspended before, is left to whoever did that.
  if (tag.status === 'SUSPENDED' && tag.updatedAt.getTime() === customer.frozenAt.getTime()) {
    const before = await transitionTag(tx, tag.id, 'ACTIVE', now);
    const change = { before: { status: before, handle: tag.handle }, after: { status: 'ACTIVE' } };
    await recordChange(tx, { actor, action: 'tag.restore', target: tag.id, ...change, reason });
  }
  await tellCustomer(tx, deps, { customerId: id, partnerId: undefined, kind: 'RELEASED', now });
  const change = { before: { status: 'FROZEN' }, after: { status: 'ACTIVE' } };
  await recordChange(tx, { actor, action: 'customer.release', target: id, ...change, reason });
}
