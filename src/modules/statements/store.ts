import { and, eq, inArray, lt, lte, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { partnerWallet } from '#modules/wallets';
import { requested } from './tables.ts';

export type RequestedRow = typeof requested.$inferSelect;

export async function insertRequested(
  db: Executor,
  values: Omit<typeof requested.$inferInsert, 'status' | 'attempts' | 'mailedAt'>,
): Promise<void> {
  await db.insert(requested).values(values);
}

/** What this customer asked for at this partner, and nobody else's; with her wallet's reference. */
export async function selectOfCustomer(
  db: Executor,
  { partnerId, customerId, reference }: { partnerId: string; customerId: string; reference: string },
) {
  const [found] = await db
    .select({ row: requested, wallet: partnerWallet.reference })
    .from(requested)
    .innerJoin(partnerWallet, eq(partnerWallet.id, requested.walletId))
    .where(
      and(
        eq(requested.reference, reference),
        eq(partnerWallet.partnerId, partnerId),
        eq(partnerWallet.customerId, customerId),
      ),
    );
  return found;
}

/** A statement that a worker has taken up, and whose wallet it is of. */
export interface Claimed {
  row: RequestedRow;
  wallet: string;
  customerId: string | null;
}

/** Takes up what is due. Nobody else does so within the lease, and then only if nothing was written of it. */
export async function claimDue(
  db: Executor,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<Claimed[]> {
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
    .returning({ row: requested, wallet: partnerWallet.reference, customerId: partnerWallet.customerId });
}

export async function updateRequested(
  db: Executor,
  id: number,
  values: Partial<Pick<RequestedRow, 'status' | 'dueAt' | 'mailedAt'>>,
): Promise<void> {
  await db.update(requested).set(values).where(eq(requested.id, id));
}

/** Nothing more is tried: what was not Ready has Failed. */
export async function endRequested(db: Executor, id: number): Promise<void> {
  const status = sql`case when ${requested.status} = 'Pending' then 'Failed' else ${requested.status} end`;
  await db.update(requested).set({ status, dueAt: null }).where(eq(requested.id, id));
}

/** Forgets what was asked for before a moment. */
export async function deleteRequestedBefore(db: Executor, moment: Date): Promise<void> {
  await db.delete(requested).where(lt(requested.createdAt, moment));
}
