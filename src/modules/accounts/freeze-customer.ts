import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Judge } from '#lib/minor-units.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { forgetConfirmations, voidCodesOfTag } from '#modules/consent';
import {
  forgetContactChanges,
  type LockedCustomer,
  lockCustomer,
  markFrozen,
  notifyCustomer,
  releaseBvn,
} from '#modules/customers';
import { endSessionsOf } from '#modules/sessions';
import { transitionTag } from '#modules/tags';
import { freezeWallets, releaseWallets } from '#modules/wallets';
import { endCreationsOf } from './store.ts';
import { type CustomerForOperator, getCustomer } from './view-customer.ts';

/** What an operator does to a customer, and why. */
export interface CustomerAction {
  actor: string;
  id: string;
  reason: string;
}

/**
 * Freezes a customer. Once it is answered no debit of theirs succeeds and no token or code is good; whatever was under way
 * has ended before. They log in nowhere, are sent no code and linked to no partner, and their PayTag is suspended. Money that
 * arrives in their wallets is booked. Audited, each wallet and the PayTag by themselves as well.
 *
 * @throws DomainError CUSTOMER_NOT_FOUND, CUSTOMER_STATUS_CONFLICT when they are frozen or erased already
 */
export async function freezeCustomer(
  deps: { transact: Transact; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  action: CustomerAction,
): Promise<CustomerForOperator> {
  const customer = await deps.transact(async (tx) => {
    await freeze(tx, deps, action);
    return getCustomer(deps, tx, action.id);
  });
  deps.securityLog.record('customer_frozen', { customerId: action.id });
  return customer;
}

async function freeze(
  tx: Tx,
  { keyring, clock }: { keyring: Keyring; clock: Clock },
  { actor, id, reason }: CustomerAction,
): Promise<void> {
  const now = clock.now();
  const { customer, tag } = await lockCustomer(tx, id);
  if (customer.erasedAt !== null) throw statusConflict('the customer was erased');
  if (customer.frozenAt !== null) throw statusConflict('the customer is frozen already');
  await markFrozen(tx, keyring, customer, now, now);
  const wallets = await freezeWallets(tx, { customerId: id, actor, reason }, now);
  await suspendTagOf(tx, tag, { actor, reason }, now);
  await endSessionsOf(tx, { customerId: id }, now);
  await endCreationsOf(tx, id, now);
  await forgetContactChanges(tx, id); // one that waits to be in force may be the thief's
  await forgetConfirmations(tx, keyring, tag.id, now);
  await voidCodesOfTag(tx, tag.id);
  const change = { before: { status: 'ACTIVE' }, after: { status: 'FROZEN', wallets } };
  await recordChange(tx, { actor, action: 'customer.freeze', target: id, ...change, reason });
}

/** Suspends the PayTag of a customer whom the caller has locked, unless it is already, or closed. Audited. */
async function suspendTagOf(
  tx: Tx,
  tag: LockedCustomer['tag'],
  { actor, reason }: Omit<CustomerAction, 'id'>,
  now: Date,
): Promise<void> {
  if (tag.status !== 'ACTIVE') return;
  const before = await transitionTag(tx, tag.id, 'SUSPENDED', now);
  const change = { before: { status: before, handle: tag.handle }, after: { status: 'SUSPENDED' } };
  await recordChange(tx, { actor, action: 'tag.suspend', target: tag.id, ...change, reason });
}

/** The refusal of what a customer's status does not allow. */
const statusConflict = (problem: string): DomainError => new DomainError('CUSTOMER_STATUS_CONFLICT', problem);

type Deps = {
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  securityLog: SecurityLog;
  afterSettling: Parameters<typeof releaseWallets>[1]['afterSettling'];
};

/**
 * Releases a customer who was frozen: they can log in again. Wallets and PayTag are what they were before, except where the
 * operator has changed them since; what ended with the freeze stays ended. Audited, and the customer gets a notice.
 *
 * @param action.judge of the money in their wallets and pending for them
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
    throw statusConflict('the BVN was handed back to its owner: this customer stays frozen');
  }
  await markFrozen(tx, deps.keyring, customer, null, now);
  await releaseWallets(tx, deps, { customerId: id, actor, reason, judge }, now);
  // A PayTag that was suspended before the freeze, or changed since, stays as it is.
  if (tag.status === 'SUSPENDED' && tag.updatedAt.getTime() === customer.frozenAt.getTime()) {
    const before = await transitionTag(tx, tag.id, 'ACTIVE', now);
    const change = { before: { status: before, handle: tag.handle }, after: { status: 'ACTIVE' } };
    await recordChange(tx, { actor, action: 'tag.restore', target: tag.id, ...change, reason });
  }
  await notifyCustomer(tx, deps, { customerId: id, partnerId: undefined, kind: 'RELEASED', now });
  const change = { before: { status: 'FROZEN' }, after: { status: 'ACTIVE' } };
  await recordChange(tx, { actor, action: 'customer.release', target: id, ...change, reason });
}

type ViewDeps = { keyring: Keyring; clock: Clock };

/**
 * Hands a BVN back to its owner, from a customer who is frozen because it never was theirs. From then on it is free: the
 * owner onboards normally, to a PayTag, wallets and a daily limit of their own. The customer stays frozen for ever, with the
 * money in their wallets; wallets that the operator opened since the freeze are frozen again, and the register is never asked
 * about them. Their BVN stays sealed on record, as evidence. Audited. A second call returns the customer as they are.
 *
 * @throws DomainError CUSTOMER_NOT_FOUND, CUSTOMER_STATUS_CONFLICT when they are not frozen, or were erased
 */
export async function handBackBvn(
  deps: ViewDeps & { transact: Transact; securityLog: SecurityLog },
  action: CustomerAction,
): Promise<CustomerForOperator> {
  const { isDone, customer } = await deps.transact(async (tx) => ({
    isDone: await handBack(tx, deps, action),
    customer: await getCustomer(deps, tx, action.id),
  }));
  if (isDone) deps.securityLog.record('bvn_handed_back', { customerId: action.id });
  return customer;
}

/**
 * A customer whose BVN was handed back already. Undefined for one whose BVN can be: so no operator has to approve what
 * would be refused.
 *
 * @throws DomainError as `handBackBvn`
 */
export async function findHandedBack(
  deps: ViewDeps & { db: Database },
  id: string,
): Promise<CustomerForOperator | undefined> {
  const customer = await getCustomer(deps, deps.db, id);
  return isHandedBack(customer) ? customer : undefined;
}

/** @returns false when it was handed back before */
async function handBack(tx: Tx, deps: ViewDeps, { actor, id, reason }: CustomerAction): Promise<boolean> {
  const now = deps.clock.now();
  const { customer, tag } = await lockCustomer(tx, id);
  if (isHandedBack(await getCustomer(deps, tx, id))) return false;
  await releaseBvn(tx, deps.keyring, customer, now);
  await freezeWallets(tx, { customerId: id, actor, reason }, now);
  await suspendTagOf(tx, tag, { actor, reason }, now);
  const change = { before: { bvn: 'HELD' }, after: { bvn: 'HANDED_BACK' } };
  await recordChange(tx, { actor, action: 'customer.hand-back-bvn', target: id, ...change, reason });
  return true;
}

/** @throws DomainError CUSTOMER_STATUS_CONFLICT when it was not, and cannot be */
function isHandedBack({ bvnHandedBackAt, erasedAt, frozenAt }: CustomerForOperator): boolean {
  if (bvnHandedBackAt !== undefined) return true;
  if (erasedAt !== undefined) throw statusConflict('the customer was erased, and their BVN with them');
  if (frozenAt === undefined) throw statusConflict('the customer is not frozen: freeze them, and look, first');
  return false;
}
