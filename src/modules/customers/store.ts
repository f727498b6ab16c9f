import { and, eq, isNull, type Placeholder, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type FactsOf, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { tag } from '#modules/tags';
import { customerRoute } from './customer-route.ts';
import { customer } from './tables.ts';

export type CustomerRow = typeof customer.$inferSelect;

/** A customer with their tag. */
export type CustomerParts = Awaited<ReturnType<typeof selectParts>>[number];

/** The new customer, or undefined when somebody has the BVN. */
export async function insertCustomer(
  tx: Tx,
  keyring: Keyring,
  values: Omit<typeof customer.$inferInsert, 'routingMac'> & Pick<CustomerRow, 'id' | 'tagId' | 'isOtherNameConfirmed'>,
): Promise<CustomerRow | undefined> {
  const [created] = await add(tx, { ...values, routingMac: macOf(keyring, values) }, {});
  return created;
}

/** @param row what it leaves out is null */
const macOf = (keyring: Keyring, row: Partial<FactsOf<typeof customerRoute>>): Buffer =>
  routingMacOf(keyring, customerRoute, row as FactsOf<typeof customerRoute>);

const add = preparedColumns('customers.add', customer, (db, written: Written<typeof customer.$inferInsert>) =>
  db.insert(customer).values(written).onConflictDoNothing({ target: customer.bvnIndex }).returning(),
);

// The sub-select hides from the planner how many come: it would plan each anew.
const isOneOf = (ids: Placeholder<'ids', readonly string[]>) =>
  sql`${customer.id} = any((select ${ids}::uuid[])::uuid[])`;

const byIds = prepared('customers.by-ids', (db, given: Given<{ ids: readonly string[] }>) =>
  selectParts(db).where(isOneOf(given.ids)),
);
/** What the PayTags of customers show, in no order. */
export const selectPayTags = prepared('customers.pay-tags', (db, given: Given<{ ids: readonly string[] }>) =>
  db
    .select({
      id: customer.id,
      firstName: customer.firstName,
      lastName: customer.lastName,
      otherName: customer.otherName,
      isOtherNameConfirmed: customer.isOtherNameConfirmed,
      phoneSealed: customer.phoneSealed,
      emailSealed: customer.emailSealed,
      imageUrl: customer.imageUrl,
      handle: tag.handle,
      tagStatus: tag.status,
    })
    .from(customer)
    .innerJoin(tag, eq(tag.id, customer.tagId))
    .where(isOneOf(given.ids)),
);

/** What a PayTag shows, as it is stored. */
export type PayTagParts = Awaited<ReturnType<typeof selectPayTags>>[number];

/** The same of one customer. Those who ask at the same moment share a statement. */
export const selectPayTag = gathered<string, PayTagParts & { ordinal: number }>(async (db, ids) => {
  const found = new Map((await selectPayTags(db, { ids: [...new Set(ids)] })).map((one) => [one.id, one]));
  return placed(ids, (id) => found.get(id));
});

const byBvn = preparedOne('customers.by-bvn', (db, given: Given<{ bvnIndex: Buffer }>) =>
  selectParts(db).where(eq(customer.bvnIndex, given.bvnIndex)),
);
const byPhone = prepared('customers.by-phone', (db, given: Given<{ phoneIndex: Buffer; limit: number }>) =>
  selectParts(db)
    .where(eq(customer.phoneIndex, given.phoneIndex))
    .orderBy(customer.createdAt, customer.id)
    .limit(given.limit),
);
const byHandle = preparedOne('customers.by-handle', (db, given: Given<{ handle: string }>) =>
  db
    .select({ customer, tag, handle: tag.handle, tagStatus: tag.status })
    .from(customer)
    .innerJoin(tag, eq(tag.id, customer.tagId))
    .where(and(eq(tag.handle, given.handle), isNull(tag.releasedAt))),
);

/** Customers by their ids, in no order. */
export const selectByIds = (db: Executor, ids: readonly string[]) => byIds(db, { ids });
/** The customer of a BVN's blind index. */
export const selectByBvn = (db: Executor, bvnIndex: Buffer) => byBvn(db, { bvnIndex });
/** Customers with the blind index of a phone, the oldest first. */
export const selectByPhone = (db: Executor, phoneIndex: Buffer, limit: number) => byPhone(db, { phoneIndex, limit });
/** The customer whose PayTag has this handle, also a closed one whose handle is not yet free. */
export const selectByHandle = (db: Executor, handle: string) => byHandle(db, { handle });

/** A customer and the status of their PayTag, locked: nobody changes them until this transaction ends. @throws AlteredRecord */
export async function lockCredentials(tx: Tx, keyring: Keyring, id: string) {
  const found = await credentials(tx, { id });
  if (found !== undefined) assertAuthentic(keyring, customerRoute, found.customer);
  return found;
}

const credentials = preparedOne('customers.credentials', (db, given: Given<{ id: string }>) =>
  db
    .select({ customer, tagStatus: tag.status })
    .from(customer)
    .innerJoin(tag, eq(tag.id, customer.tagId))
    .where(eq(customer.id, given.id))
    .for('share'),
);

/** What the operator's changes of a customer begin from. */
export type LockedCustomer = NonNullable<Awaited<ReturnType<typeof lockForOperator>>>;

/** A customer with their tag, of which the customer is locked: who changes a PayTag locks that after it. */
export async function lockForOperator(tx: Tx, id: string) {
  const locked = await lockById(tx, { id });
  if (locked?.tagId == null) return undefined;
  const itsTag = await tagOf(tx, { tagId: locked.tagId });
  return itsTag && { customer: locked, tag: itsTag };
}

const lockById = preparedOne('customers.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(customer).where(eq(customer.id, given.id)).for('no key update'),
);
const tagOf = preparedOne('customers.tag', (db, given: Given<{ tagId: string }>) =>
  db.select().from(tag).where(eq(tag.id, given.tagId)),
);

/** A customer, of whom nothing is changed until this transaction ends. @throws AlteredRecord */
export async function holdCustomer(tx: Tx, keyring: Keyring, id: string): Promise<CustomerRow | undefined> {
  const found = await hold(tx, { id });
  if (found !== undefined) assertAuthentic(keyring, customerRoute, found);
  return found;
}

const hold = preparedOne('customers.hold', (db, given: Given<{ id: string }>) =>
  db.select().from(customer).where(eq(customer.id, given.id)).for('share'),
);

/**
 * Changes what is on record of a customer, whom the caller has locked; nothing of one who was erased.
 *
 * @throws AlteredRecord for one who is not as we stored them
 */
export async function updateCustomer(
  tx: Executor,
  keyring: Keyring,
  locked: CustomerRow,
  values: Partial<Omit<CustomerRow, 'id' | 'tagId' | 'createdAt' | 'routingMac'>>,
): Promise<void> {
  assertAuthentic(keyring, customerRoute, locked);
  await change(tx, { ...values, routingMac: macOf(keyring, { ...locked, ...values }) }, { id: locked.id });
}

const change = preparedColumns(
  'customers.change',
  customer,
  (db, written: Written<Partial<CustomerRow>>, given: Given<{ id: string }>) =>
    db.update(customer).set(written).where(isThere(given.id)),
);

const isThere = (id: Placeholder<string, string>) => and(eq(customer.id, id), isNull(customer.erasedAt));

const selectParts = (db: Executor) =>
  db
    .select({ customer, handle: tag.handle, tagStatus: tag.status })
    .from(customer)
    .innerJoin(tag, eq(tag.id, customer.tagId));

/** Takes all that says who a customer is off their record, except the BVN. */
export async function deleteOfErased(
  tx: Tx,
  keyring: Keyring,
  locked: CustomerRow,
  left: Pick<CustomerRow, 'firstName' | 'lastName' | 'keptNameSealed'>,
  now: Date,
): Promise<void> {
  const gone = {
    bvnIndex: null,
    otherName: null,
    phoneSealed: null,
    phoneIndex: null,
    phoneProvenAt: null,
    emailSealed: null,
    emailIndex: null,
    emailProvenAt: null,
    dateOfBirthSealed: null,
    addressSealed: null,
    imageUrl: null,
    passwordHash: null,
  };
  await updateCustomer(tx, keyring, locked, { ...gone, ...left, erasedAt: now, updatedAt: now });
}
