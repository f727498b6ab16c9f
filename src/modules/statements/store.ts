import { and, eq, inArray, lte, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { type Given, preparedOne } from '#lib/prepared.ts';
import { partnerWallet } from '#modules/wallets';
import { paper, requested } from './tables.ts';

export type RequestedRow = typeof requested.$inferSelect;

/** Stores a statement that a worker is to prepare. */
export async function insertRequested(
  tx: Tx,
  values: Omit<typeof requested.$inferInsert, 'status' | 'attempts' | 'mailedAt'>,
): Promise<void> {
  await tx.insert(requested).values(values);
}

/** A statement that this customer requested at this partner, with the reference of its wallet; nobody else's. */
export const selectOfCustomer = preparedOne(
  'statements.of-customer',
  (db, given: Given<{ partnerId: string; customerId: string; reference: string }>) =>
    db
      .select({ row: requested, wallet: partnerWallet.reference })
      .from(requested)
      .innerJoin(partnerWallet, eq(partnerWallet.id, requested.walletId))
      .where(
        and(
          eq(requested.reference, given.reference),
          eq(partnerWallet.partnerId, given.partnerId),
          eq(partnerWallet.customerId, given.customerId),
        ),
      ),
);

/** Whose a wallet is; undefined for one that is no customer's. */
export async function selectHolder(
  db: Executor,
  reference: string,
): Promise<{ partnerId: string; customerId: string } | undefined> {
  const found = await holder(db, { reference });
  if (found === undefined || found.customerId === null) return undefined;
  return { partnerId: found.partnerId, customerId: found.customerId };
}

const holder = preparedOne('statements.holder', (db, given: Given<{ reference: string }>) =>
  db
    .select({ partnerId: partnerWallet.partnerId, customerId: partnerWallet.customerId })
    .from(partnerWallet)
    .where(eq(partnerWallet.reference, given.reference)),
);

/** A statement that a worker has claimed, with its wallet and customer. */
export interface ClaimedStatement {
  row: RequestedRow;
  wallet: string;
  partnerId: string;
  customerId: string | null;
}

/** Claims statements that are due. Nobody else claims them within the lease, nor later if they were reported on by then. */
export async function claimDue(
  db: Executor,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<ClaimedStatement[]> {
  const due = db
    .select({ id: requested.id })
    .from(requested)
    .where(lte(requested.dueAt, now))
    .orderBy(requested.dueAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  return db
    .update(requested)
    .set({ attempts: sql`${requested.attempts} + 1`, dueAt: new Date(now.getTime() + leaseMs) })
    .from(partnerWallet)
    .where(and(inArray(requested.id, due), eq(partnerWallet.id, requested.walletId)))
    .returning({
      row: requested,
      wallet: partnerWallet.reference,
      partnerId: partnerWallet.partnerId,
      customerId: partnerWallet.customerId,
    });
}

/** Reports on a claimed statement. */
export async function updateRequested(
  db: Executor,
  id: number,
  values: Partial<Pick<RequestedRow, 'status' | 'dueAt' | 'mailedAt'>>,
): Promise<void> {
  await db.update(requested).set(values).where(eq(requested.id, id));
}

/** Gives a statement up: Pending becomes Failed for this reason, Ready stays, and it is never due again. */
export async function giveUpRequested(db: Executor, id: number, reason: string): Promise<void> {
  const status = sql`case when ${requested.status} = 'Pending' then 'Failed' else ${requested.status} end`;
  const failureReason = sql`case when ${requested.status} = 'Pending' then ${reason} end`;
  await db.update(requested).set({ status, failureReason, dueAt: null }).where(eq(requested.id, id));
}

/** Stores what a statement that is given out says; the same one at the same moment is stored once. */
export async function insertPaper(db: Executor, values: typeof paper.$inferInsert): Promise<void> {
  await db.insert(paper).values(values).onConflictDoNothing();
}
