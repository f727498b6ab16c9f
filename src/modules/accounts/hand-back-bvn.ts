import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { lockCustomer, releaseBvn } from '#modules/customers';
import { freezeWallets } from '#modules/wallets';
import { type CustomerAction, statusConflict, suspendTagOf } from './freeze-customer.ts';
import { type CustomerForOperator, getCustomer } from './view-customer.ts';

type ViewDeps = { keyring: Keyring; clock: Clock };

/**
 * Hands a BVN back to its owner, from a customer who is frozen because it never was theirs. From then on nobody has it: the
 * owner onboards as anybody does, to a PayTag, wallets and a daily limit of their own. Who used it stays frozen for ever, with
 * what is in their wallets; what was opened to them since the freeze is shut again, and the register is never asked about
 * them. Their BVN stays sealed on record, as evidence. Audited. Done again, it answers how they stand.
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
 * A customer whose BVN was handed back already. Undefined of one whose BVN can be, so that nobody is asked to approve what
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
