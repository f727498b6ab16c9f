import { and, eq, inArray, isNotNull, isNull, lt, type SQL } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { tag } from '#modules/tags';
import { customer } from './tables.ts';

export type CustomerRow = typeof customer.$inferSelect;

/** A customer with their tag. */
export type CustomerParts = Awaited<ReturnType<typeof selectParts>>[number];

/** The new customer, or undefined when somebody has the BVN. */
export async function insertCustomer(tx: Tx, values: typeof customer.$inferInsert): Promise<CustomerRow | undefined> {
  const [created] = await tx
    .insert(customer)
    .values(values)
    .onConflictDoNothing({ target: customer.bvnIndex })
    .returning();
  return created;
}

/** Customers by their ids, in no order. */
export const selectByIds = (db: Executor, ids: readonly string[]) => selectParts(db, inArray(customer.id, [...ids]));
/** The customer of a BVN's blind index. */
export const selectByBvn = (db: Executor, bvnIndex: Buffer) => selectOne(db, eq(customer.bvnIndex, bvnIndex));
/** Customers with the blind index of a phone, the oldest first. */
export const selectByPhone = (db: Executor, phoneIndex: Buffer, limit: number) =>
  selectParts(db, eq(customer.phoneIndex, phoneIndex)).orderBy(customer.createdAt, customer.id).limit(limit);

/** The customer whose PayTag has this handle, also a closed one whose handle is not yet free. */
export const selectByHandle = (db: Executor, handle: string) =>
  selectOne(db, and(eq(tag.handle, handle), isNull(tag.releasedAt)));

/** Sets a password where there is none. False when there is one, and for a customer who is frozen or was erased. */
export async function insertPasswordHash(tx: Tx, id: string, passwordHash: string, now: Date): Promise<boolean> {
  const changed = await tx
    .update(customer)
    .set({ passwordHash, updatedAt: now })
    .where(
      and(eq(customer.id, id), isNull(customer.passwordHash), isNull(customer.frozenAt), isNull(customer.erasedAt)),
    )
    .returning({ id: customer.id });
  return changed.length === 1;
}

/** Replaces a password. Nothing is changed of a customer who was erased. */
export async function updatePasswordHash(tx: Tx, id: string, passwordHash: string, now: Date): Promise<void> {
  await tx.update(customer).set({ passwordHash, updatedAt: now }).where(isThere(id));
}

/** What a customer logs in by, locked: nobody changes it until this transaction ends. */
export async function lockCredentials(tx: Tx, id: string) {
  const [found] = await tx
    .select({ passwordHash: customer.passwordHash, frozenAt: customer.frozenAt, tagStatus: tag.status })
    .from(customer)
    .innerJoin(tag, eq(tag.id, customer.tagId))
    .where(eq(customer.id, id))
    .for('share');
  return found;
}

/** What the operator's changes of a customer begin from. */
export type LockedCustomer = NonNullable<Awaited<ReturnType<typeof lockForOperator>>>;

/** A customer with their tag, of which the customer is locked: who changes a PayTag locks that after it. */
export async function lockForOperator(tx: Tx, id: string) {
  const [locked] = await tx.select().from(customer).where(eq(customer.id, id)).for('no key update');
  if (locked?.tagId == null) return undefined;
  const [itsTag] = await tx.select().from(tag).where(eq(tag.id, locked.tagId));
  return itsTag && { customer: locked, tag: itsTag };
}

/** Whether a customer is frozen or was erased; they stay so, or not, until this transaction ends. */
export async function selectFrozen(tx: Tx, id: string): Promise<boolean> {
  const found = await lockRecovery(tx, id);
  return found?.frozenAt != null || found?.erasedAt != null;
}

/** Whether a customer's BVN was handed back to its owner, or the customer erased; it stays so, or not, until this transaction ends. */
export async function selectHandedBack(tx: Tx, id: string): Promise<boolean> {
  const found = await lockRecovery(tx, id);
  return found?.bvnHandedBackAt != null || found?.erasedAt != null;
}

async function lockRecovery(tx: Tx, id: string) {
  const { frozenAt, bvnHandedBackAt, erasedAt } = customer;
  const [found] = await tx
    .select({ frozenAt, bvnHandedBackAt, erasedAt })
    .from(customer)
    .where(eq(customer.id, id))
    .for('share');
  return found;
}

/** Changes what is on record of a customer; nothing of one who was erased. */
export async function updateCustomer(
  tx: Executor,
  id: string,
  values: Partial<Omit<CustomerRow, 'id' | 'tagId' | 'createdAt' | 'passwordHash'>>,
): Promise<void> {
  await tx.update(customer).set(values).where(isThere(id));
}

const isThere = (id: string) => and(eq(customer.id, id), isNull(customer.erasedAt));

const selectOne = async (db: Executor, condition: SQL | undefined): Promise<CustomerParts | undefined> =>
  (await selectParts(db, condition))[0];

function selectParts(db: Executor, condition: SQL | undefined) {
  return db
    .select({ customer, handle: tag.handle, tagStatus: tag.status })
    .from(customer)
    .innerJoin(tag, eq(tag.id, customer.tagId))
    .where(condition);
}

/** Takes all that says who a customer is off their record, except the BVN. */
export async function deleteOfErased(
  tx: Tx,
  id: string,
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
  await tx
    .update(customer)
    .set({ ...gone, ...left, erasedAt: now, updatedAt: now })
    .where(isThere(id));
}

/** Takes what was kept of erased customers off their records, once they were erased before a moment. */
export async function deleteKeptBefore(db: Executor, moment: Date): Promise<void> {
  await db
    .update(customer)
    .set({ bvnSealed: null, keptNameSealed: null })
    .where(and(isNotNull(customer.bvnSealed), lt(customer.erasedAt, moment)));
}
