import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import {
  type CustomerRecord,
  type CustomerSummary,
  findHandles,
  findRecords,
  listSummaries,
  maskBvn,
  maskEmail,
  maskPhone,
  readBvn,
  readPhone,
  readRecord,
} from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { type LiveSession, liveSessionsOf } from '#modules/sessions';
import { findHolderOfNuban, type OperatorWalletSummary, walletsOfCustomer } from '#modules/wallets';

/** Exactly one of these. */
export interface CustomerSearch {
  paytag?: string | undefined;
  nuban?: string | undefined;
  phone?: string | undefined;
  bvn?: string | undefined;
}

/**
 * Finds customers by their PayTag, an account number of theirs, their phone or their BVN: masked, frozen ones as well; one
 * who was erased by an account number alone. Audited: by which of them was searched and who was found, not what was searched for.
 * An operator has a budget of searches in an hour.
 *
 * @throws DomainError INVALID_PARAMETER, TOO_MANY_REQUESTS
 */
export async function findCustomers(
  deps: { transact: Transact; keyring: Keyring } & FindBudget,
  { actor, reason, ...search }: CustomerSearch & { actor: string; reason?: string | undefined },
): Promise<MaskedCustomer[]> {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const [by] = given[0] ?? [];
  if (by === undefined || given.length > 1) {
    throw new DomainError('INVALID_PARAMETER', 'paytag: give one of paytag, nuban, phone and bvn');
  }
  await countFind(deps, actor);
  return deps.transact(async (tx) => {
    const found = await select(tx, deps.keyring, search);
    const after = { by, found: found.map(({ id }) => id) };
    await recordChange(tx, { actor, action: 'customer.find', target: 'customers', after, reason });
    return found.map(maskCustomer);
  });
}

async function select(
  tx: Tx,
  keyring: Keyring,
  { paytag, nuban, phone, bvn }: CustomerSearch,
): Promise<CustomerRecord[]> {
  if (paytag !== undefined) return findRecords(tx, keyring, { paytag });
  if (phone !== undefined) return findRecords(tx, keyring, { phone: readPhone(phone) });
  if (bvn !== undefined) return findRecords(tx, keyring, { bvn: readBvn(bvn) });
  const holder = await findHolderOfNuban(tx, keyring, nuban ?? '');
  const record = holder === undefined ? undefined : await readRecord(tx, keyring, holder);
  return record === undefined ? [] : [record];
}

/** FROZEN by the operator until the release; ERASED for ever. */
export const customerStatuses = ['ACTIVE', 'FROZEN', 'ERASED'] as const;

export type CustomerStatus = (typeof customerStatuses)[number];

/** A customer as the operator finds them: what could harm them is masked. */
export interface MaskedCustomer
  extends Pick<
    CustomerRecord,
    | 'id'
    | 'tag'
    | 'tagStatus'
    | 'name'
    | 'hasPassword'
    | 'frozenAt'
    | 'bvnHandedBackAt'
    | 'erasedAt'
    | 'createdAt'
    | 'updatedAt'
  > {
  status: CustomerStatus;
  /** `*******1234`. */
  bvn: string | undefined;
  phone: string | undefined;
  email: string | undefined;
  /** The year alone. */
  yearOfBirth: number | undefined;
  hasAddress: boolean;
}

/** One customer, with their wallets and where they are logged in. */
export interface CustomerForOperator extends MaskedCustomer {
  wallets: OperatorWalletSummary[];
  /** Newest first. */
  sessions: LiveSession[];
}

/** What a search may show of a customer. */
function maskCustomer(record: CustomerRecord): MaskedCustomer {
  const { id, tag, tagStatus, name, hasPassword, frozenAt, bvnHandedBackAt, erasedAt, createdAt, updatedAt } = record;
  return {
    id,
    tag,
    tagStatus,
    name,
    hasPassword,
    frozenAt,
    bvnHandedBackAt,
    erasedAt,
    createdAt,
    updatedAt,
    status: statusOf(record),
    bvn: record.bvn && maskBvn(record.bvn),
    phone: record.phone && maskPhone(record.phone),
    email: record.email && maskEmail(record.email),
    yearOfBirth: record.dateOfBirth === undefined ? undefined : Number(record.dateOfBirth.slice(0, 4)),
    hasAddress: record.address !== undefined,
  };
}

const statusOf = ({ erasedAt, frozenAt }: CustomerSummary): CustomerStatus => {
  if (erasedAt !== undefined) return 'ERASED';
  return frozenAt === undefined ? 'ACTIVE' : 'FROZEN';
};

/** A customer, masked, with their wallets and sessions. @throws DomainError CUSTOMER_NOT_FOUND */
export async function getCustomer(
  { keyring, clock }: { keyring: Keyring; clock: Clock },
  db: Executor,
  id: string,
): Promise<CustomerForOperator> {
  const [record, wallets, sessions] = await Promise.all([
    recordOf(keyring, db, id),
    walletsOfCustomer(db, keyring, id),
    liveSessionsOf(db, id, clock.now()),
  ]);
  return { ...maskCustomer(record), wallets, sessions };
}

/** A customer in a list, which opens nothing of what is sealed. */
export type ListedCustomer = CustomerSummary & Pick<MaskedCustomer, 'status'>;

/** Customers, newest first. `count` is of all that match. */
export async function listCustomers(
  { db }: { db: Executor },
  query: Parameters<typeof listSummaries>[1],
): Promise<Listed<ListedCustomer, string>> {
  const { items, ...found } = await listSummaries(db, query);
  return { ...found, items: items.map((one) => ({ ...one, status: statusOf(one) })) };
}

/** All that is on record of a customer. @throws DomainError CUSTOMER_NOT_FOUND */
async function recordOf(keyring: Keyring, db: Executor, id: string): Promise<CustomerRecord> {
  const record = await readRecord(db, keyring, id);
  if (record === undefined) throw noSuchCustomer(id);
  return record;
}

/** The refusal of an unknown id. */
const noSuchCustomer = (id: string): DomainError =>
  new DomainError('CUSTOMER_NOT_FOUND', `no customer has the id ${id}`);

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

/** The most customers in one reveal. */
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

/** Before another operator is asked to approve a reveal. @throws DomainError CUSTOMER_NOT_FOUND */
export async function assertCustomersExist({ db }: { db: Database }, ids: readonly string[]): Promise<void> {
  const found = await findHandles(db, ids);
  const unknown = ids.find((id) => !found.has(id));
  if (unknown !== undefined) throw noSuchCustomer(unknown);
}

const HOUR_S = 3600;

/** How often an operator may be shown a customer in the clear. */
export interface RevealBudget {
  limits: { revealsPerH: number };
  throttles: Throttles;
}

/** How often an operator may look for customers. */
export interface FindBudget {
  limits: { findsPerH: number };
  throttles: Throttles;
}

/**
 * Counts that an operator is shown a customer in the clear: reveals and exports together, of all customers.
 *
 * @param actor the operator, as audit entries name them
 * @throws DomainError TOO_MANY_REQUESTS
 */
export async function countReveal({ limits, throttles }: RevealBudget, actor: string): Promise<void> {
  await throttles.take({ name: 'reveals and exports', points: limits.revealsPerH, windowS: HOUR_S }, actor);
}

/** Counts a search of an operator's. @throws DomainError TOO_MANY_REQUESTS */
async function countFind({ limits, throttles }: FindBudget, actor: string): Promise<void> {
  await throttles.take({ name: 'searches for customers', points: limits.findsPerH, windowS: HOUR_S }, actor);
}
