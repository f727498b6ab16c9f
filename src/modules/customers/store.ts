import { and, desc, eq, gte, inArray, isNull, lt, lte, type Placeholder, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import {
  assertAuthentic,
  type FactsOf,
  type RoutingFacts,
  type RowInSql,
  readRow,
  routingMacOf,
} from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { partner } from '#modules/clients';
import { tag, tagRoute } from '#modules/tags';
import { contactChange, customer, notice } from './tables.ts';

export type CustomerRow = typeof customer.$inferSelect;

/** A customer with their tag. */
export type CustomerParts = Awaited<ReturnType<typeof selectParts>>[number];

/** The new customer; undefined when another has the BVN. */
export async function insertCustomer(
  tx: Tx,
  keyring: Keyring,
  values: Omit<typeof customer.$inferInsert, 'routingMac'> & Pick<CustomerRow, 'id' | 'tagId' | 'isOtherNameConfirmed'>,
): Promise<CustomerRow | undefined> {
  const [created] = await addCustomer(tx, { ...values, routingMac: macOf(keyring, values) }, {});
  return created;
}

/** @param row what it leaves out is null */
const macOf = (keyring: Keyring, row: Partial<FactsOf<typeof customerRoute>>): Buffer =>
  routingMacOf(keyring, customerRoute, row as FactsOf<typeof customerRoute>);

const addCustomer = preparedColumns('customers.add', customer, (db, written: Written<typeof customer.$inferInsert>) =>
  db.insert(customer).values(written).onConflictDoNothing({ target: customer.bvnIndex }).returning(),
);

// The sub-select hides the number of ids from the planner, which would otherwise plan each read again.
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

/** A customer and the status of their PayTag, locked until this transaction ends. @throws AlteredRecord */
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
  const found = await holdById(tx, { id });
  if (found !== undefined) assertAuthentic(keyring, customerRoute, found);
  return found;
}

const holdById = preparedOne('customers.hold', (db, given: Given<{ id: string }>) =>
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

/** Which tag is a customer's PayTag, by what they are found and log in, what they are called, and whether they may do anything. */
export const customerRoute = {
  table: 'customers.customer',
  columns: [
    'id',
    'tagId',
    'bvnIndex',
    'phoneIndex',
    'phoneProvenAt',
    'emailIndex',
    'emailProvenAt',
    'firstName',
    'lastName',
    'otherName',
    'isOtherNameConfirmed',
    'passwordHash',
    'frozenAt',
    'bvnHandedBackAt',
    'erasedAt',
  ],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [customerRoute];

/** What `customers.payee` found: a PayTag, and the customer whose it is. */
export interface PayeeRows {
  tag: RowInSql<typeof tagRoute>;
  customer: RowInSql<typeof customerRoute>;
}

/** @throws AlteredRecord for a PayTag or a customer that is not as we stored it */
export function assertPayee(keyring: Keyring, found: PayeeRows): void {
  assertAuthentic(keyring, tagRoute, readRow(found.tag));
  assertAuthentic(keyring, customerRoute, readRow(found.customer));
}

/** Which customers match; an absent member matches all. */
export interface CustomerFilter {
  status?: 'ACTIVE' | 'FROZEN' | 'ERASED' | undefined;
  /** Made from `from` on and before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(customer, 'c');

const stands = {
  ACTIVE: sql`${row.frozenAt} is null and ${row.erasedAt} is null`,
  FROZEN: sql`${row.frozenAt} is not null and ${row.erasedAt} is null`,
  ERASED: sql`${row.erasedAt} is not null`,
};

/** Few are, and they have an index. */
const isRare = sql`(${row.frozenAt} is not null or ${row.erasedAt} is not null)`;

/** Customers, newest first: by the ids of their PayTags, which sort by time; their own do not. */
export async function selectCustomers(
  db: Executor,
  filter: CustomerFilter,
  page: PageRequest<string>,
): Promise<Listed<CustomerParts, string>> {
  const { status, from, to } = filter;
  const within = status === undefined || status === 'ACTIVE' ? undefined : isRare;
  const matches = and(status && stands[status], from && gte(row.createdAt, from), to && lt(row.createdAt, to));
  return pageOfWalk(db, { name: 'customers', filter, table: customer, row, key: row.tagId, within, matches }, page, {
    rows: (keys) =>
      db
        .select({ customer, handle: tag.handle, tagStatus: tag.status })
        .from(customer)
        .innerJoin(tag, eq(tag.id, customer.tagId))
        .where(sql`${customer.tagId} = any(array(${keys}))`)
        .orderBy(desc(customer.tagId)),
    keyOf: (one) => String(one.customer.tagId),
  });
}

export type ChangeRow = typeof contactChange.$inferSelect;

/** Which change: a customer has at most one of each contact. */
type ChangeKey = Pick<ChangeRow, 'customerId' | 'contact'>;

/** Stores a change, in place of another one of the same contact. */
export async function upsertChange(tx: Tx, values: ChangeRow): Promise<void> {
  await upsert(tx, values);
}

const upsert = prepared('customers.upsert-contact-change', (db, given: Given<ChangeRow>) =>
  db
    .insert(contactChange)
    .values({
      customerId: given.customerId,
      contact: given.contact,
      valueSealed: given.valueSealed,
      confirmedAt: given.confirmedAt,
      inForceAt: given.inForceAt,
    })
    .onConflictDoUpdate({
      target: [contactChange.customerId, contactChange.contact],
      set: {
        valueSealed: sql`excluded.value_sealed`,
        confirmedAt: sql`excluded.confirmed_at`,
        inForceAt: sql`excluded.in_force_at`,
      },
    }),
);

/** The changes of a customer. */
export const selectChanges = (db: Executor, customerId: string): Promise<ChangeRow[]> => changesOf(db, { customerId });

const changesOf = prepared('customers.contact-changes', (db, given: Given<{ customerId: string }>) =>
  db.select().from(contactChange).where(eq(contactChange.customerId, given.customerId)).orderBy(contactChange.contact),
);

/** Changes whose time has come, the oldest first. */
export async function selectDueChanges(db: Executor, now: Date, limit: number): Promise<ChangeKey[]> {
  return db
    .select({ customerId: contactChange.customerId, contact: contactChange.contact })
    .from(contactChange)
    .where(lte(contactChange.inForceAt, now))
    .orderBy(contactChange.inForceAt)
    .limit(limit);
}

/** Takes a change away whose time has come; undefined when there is none any more. */
export async function deleteDueChange(
  tx: Tx,
  { customerId, contact }: ChangeKey,
  now: Date,
): Promise<ChangeRow | undefined> {
  const is = and(eq(contactChange.customerId, customerId), eq(contactChange.contact, contact));
  const [taken] = await tx
    .delete(contactChange)
    .where(and(is, lte(contactChange.inForceAt, now)))
    .returning();
  return taken;
}

/** Takes all changes of a customer away. @returns whether there was one */
export async function deleteChanges(tx: Tx, customerId: string): Promise<boolean> {
  return (await deleteAll(tx, { customerId })).length > 0;
}

const deleteAll = prepared('customers.delete-contact-changes', (db, given: Given<{ customerId: string }>) =>
  db
    .delete(contactChange)
    .where(eq(contactChange.customerId, given.customerId))
    .returning({ contact: contactChange.contact }),
);

export type NoticeRow = typeof notice.$inferSelect;

/** A notice of which nothing was sent yet. */
type NewNotice = Omit<typeof notice.$inferInsert, 'attempts' | 'sentAt'>;

/** Stores new notices. */
export async function insertNotices(tx: Tx, values: readonly NewNotice[]): Promise<void> {
  if (values.length === 0) return;
  const column = (name: keyof NewNotice) => values.map((one) => one[name] ?? null);
  await addNotices(tx, COLUMNS.map(column));
}

const COLUMNS = [
  'id',
  'customerId',
  'partnerId',
  'kind',
  'channel',
  'recipientSealed',
  'detail',
  'happenedAt',
  'dueAt',
] as const satisfies (keyof NewNotice)[];

const addNotices = preparedText(
  'notices.add',
  `insert into notices.notice (id, customer_id, partner_id, kind, channel, recipient_sealed, detail, happened_at, due_at)
   select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bytea[], $7::text[],
     $8::timestamptz[], $9::timestamptz[])`,
  { writes: true },
);

/** Claims notices that are due. No other process claims them within the lease, nor later if their outcome was recorded by then. */
export async function claimDue(
  db: Executor,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<NoticeRow[]> {
  const due = db
    .select({ id: notice.id })
    .from(notice)
    .where(lte(notice.dueAt, now))
    .orderBy(notice.dueAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  return db
    .update(notice)
    .set({ attempts: sql`${notice.attempts} + 1`, dueAt: new Date(now.getTime() + leaseMs) })
    .where(inArray(notice.id, due))
    .returning();
}

/** The names of partners, by their ids. */
export async function partnerNames(db: Executor, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: partner.id, name: partner.name })
    .from(partner)
    .where(inArray(partner.id, [...ids]));
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** Has a claimed notice tried again at a later time. */
export async function postpone(db: Executor, id: string, dueAt: Date): Promise<void> {
  await db.update(notice).set({ dueAt }).where(eq(notice.id, id));
}

/** Puts a claimed notice back, to be claimed again later. */
export async function holdNotice(db: Executor, id: string, dueAt: Date): Promise<void> {
  await db
    .update(notice)
    .set({ dueAt, attempts: sql`${notice.attempts} - 1` })
    .where(eq(notice.id, id));
}

/** Ends a claimed notice, and drops its address. @param sentAt null: it was given up */
export async function endNotice(db: Executor, id: string, sentAt: Date | null): Promise<void> {
  await db.update(notice).set({ dueAt: null, recipientSealed: null, sentAt }).where(eq(notice.id, id));
}
