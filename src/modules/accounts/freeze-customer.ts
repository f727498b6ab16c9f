import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { forgetConfirmations, voidCodesOfTag } from '#modules/consent';
import { forgetContactChanges, type LockedCustomer, lockCustomer, markFrozen } from '#modules/customers';
import { endSessionsOf } from '#modules/sessions';
import { transitionTag } from '#modules/tags';
import { freezeWallets } from '#modules/wallets';
import { endCreationsOf } from './onboarding-store.ts';
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
export async function suspendTagOf(
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
export const statusConflict = (problem: string): DomainError => new DomainError('CUSTOMER_STATUS_CONFLICT', problem);
