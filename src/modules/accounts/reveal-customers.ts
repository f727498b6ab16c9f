import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type CustomerRecord, findHandles } from '#modules/customers';
import { countReveal, type RevealBudget } from './budgets.ts';
import { noSuchCustomer, recordOf } from './view-customer.ts';

/** What is masked elsewhere, and can be shown. */
export const revealable = ['bvn', 'phone', 'email', 'dateOfBirth', 'address'] as const;
type Revealable = (typeof revealable)[number];

/** What was revealed; what is not on record is left out. */
type Revealed = { id: string } & Partial<Pick<CustomerRecord, Revealable>>;

interface RevealRequest {
  actor: string;
  id: string;
  reason: string;
  fields?: readonly Revealable[] | undefined;
}

/**
 * Shows what is on record of a customer in the clear. Audited: who was shown what and why, not what it said. An
 * operator has a budget of reveals and exports in an hour.
 *
 * @param request.fields all of them when none is named
 * @throws DomainError CUSTOMER_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function revealCustomer(
  deps: { transact: Transact; keyring: Keyring; securityLog: SecurityLog } & RevealBudget,
  request: RevealRequest,
): Promise<Revealed> {
  await countReveal(deps, request.actor);
  const revealed = await deps.transact((tx) => reveal(tx, deps.keyring, request));
  deps.securityLog.record('customer_revealed', { customerId: request.id });
  return revealed;
}

/** As `revealCustomer`, in a transaction of the caller. */
async function reveal(tx: Tx, keyring: Keyring, { actor, id, reason, fields = [] }: RevealRequest): Promise<Revealed> {
  const record = await recordOf(keyring, tx, id);
  const shown = fields.length === 0 ? revealable : revealable.filter((field) => fields.includes(field));
  await recordChange(tx, { actor, action: 'customer.reveal', target: id, after: { fields: shown }, reason });
  return { id, ...Object.fromEntries(shown.map((field) => [field, record[field]])) };
}

/** How many customers can be revealed at once. */
export const REVEALED_MAX = 100;

/**
 * Shows what is on record of customers in the clear, of all or of none of them. Each is audited by themselves, as one who is
 * revealed alone.
 *
 * @param request.ids each counts once
 * @throws DomainError CUSTOMER_NOT_FOUND
 */
export async function revealCustomers(
  { transact, keyring, securityLog }: { transact: Transact; keyring: Keyring; securityLog: SecurityLog },
  {
    ids,
    ...request
  }: { actor: string; ids: readonly string[]; reason: string; fields?: readonly Revealable[] | undefined },
): Promise<Revealed[]> {
  const revealed = await transact(async (tx) => {
    const each: Revealed[] = [];
    for (const id of new Set(ids)) each.push(await reveal(tx, keyring, { ...request, id }));
    return each;
  });
  for (const { id } of revealed) securityLog.record('customer_revealed', { customerId: id });
  return revealed;
}

/** Before somebody is asked to approve that they are revealed. @throws DomainError CUSTOMER_NOT_FOUND */
export async function assertCustomersExist({ db }: { db: Database }, ids: readonly string[]): Promise<void> {
  const found = await findHandles(db, ids);
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) throw noSuchCustomer(unknown);
}
