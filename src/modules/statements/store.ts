import { and, eq, inArray, lte, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { partnerWallet } from '#modules/wallets';
import { paper, requested } from './tables.ts';

export type RequestedRow = typeof requested.$inferSelect;

/** Stores a statement that a worker is to prepare. */
export async function insertRequested(tx: Tx, values: NewRequested): Promise<void> {
  await add(tx, values, {});
}

type NewRequested = Omit<typeof requested.$inferInsert, 'status' | 'attempts' | 'mailedAt'>;

const add = preparedColumns('statements.add-requested', requested, (db, written: Written<NewRequested>) =>
  db.insert(requested).values(written),
);

/** A statement that this customer requested at this partner, with the reference of its wallet. */
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

/** Claims statements that are due. No other process claims them within the lease, nor later if their outcome was recorded by then. */
export async function claimDue(
  db: Executor,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<ClaimedStatement[]> {
  return claim(db, { now, until: new Date(now.getTime() + leaseMs), limit });
}

const claim = prepared('statements.claim-due', (db, given: Given<{ now: Date; until: Date; limit: number }>) => {
  const due = db
    .select({ id: requested.id })
    .from(requested)
    .where(lte(requested.dueAt, given.now))
    .orderBy(requested.dueAt)
    .limit(given.limit)
    .for('update', { skipLocked: true });
  return db
    .update(requested)
    .set({ attempts: sql`${requested.attempts} + 1`, dueAt: sql`${given.until}` })
    .from(partnerWallet)
    .where(and(inArray(requested.id, due), eq(partnerWallet.id, requested.walletId)))
    .returning({
      row: requested,
      wallet: partnerWallet.reference,
      partnerId: partnerWallet.partnerId,
      customerId: partnerWallet.customerId,
    });
});

/** Reports on a claimed statement. */
export async function updateRequested(
  db: Executor,
  id: number,
  values: Partial<Pick<RequestedRow, 'status' | 'dueAt' | 'mailedAt'>>,
): Promise<void> {
  await change(db, values, { id });
}

const change = preparedColumns(
  'statements.change-requested',
  requested,
  (db, written: Written<Partial<RequestedRow>>, given: Given<{ id: number }>) =>
    db.update(requested).set(written).where(eq(requested.id, given.id)),
);

/** Gives a statement up: Pending becomes Failed for this reason, Ready stays, and it is never due again. */
export async function giveUpRequested(db: Executor, id: number, reason: string): Promise<void> {
  await giveUp(db, { id, reason });
}

const giveUp = prepared('statements.give-up', (db, given: Given<{ id: number; reason: string }>) =>
  db
    .update(requested)
    .set({
      status: sql`case when ${requested.status} = 'Pending' then 'Failed' else ${requested.status} end`,
      failureReason: sql`case when ${requested.status} = 'Pending' then ${given.reason} end`,
      dueAt: null,
    })
    .where(eq(requested.id, given.id)),
);

/** Stores what a statement that is given out says; the same one at the same moment is stored once. */
export async function insertPaper(db: Executor, values: typeof paper.$inferInsert): Promise<void> {
  await addPaper(db, values, {});
}

const addPaper = preparedColumns('statements.add-paper', paper, (db, written: Written<typeof paper.$inferInsert>) =>
  db.insert(paper).values(written).onConflictDoNothing(),
);

/** A statement that was given out, with its wallet, by the digest of its code. */
export const selectPaper = preparedOne('statements.paper', (db, given: Given<{ codeDigest: Buffer }>) =>
  db
    .select({ paper, nuban: partnerWallet.nuban, partnerId: partnerWallet.partnerId })
    .from(paper)
    .innerJoin(partnerWallet, eq(partnerWallet.id, paper.walletId))
    .where(eq(paper.codeDigest, given.codeDigest)),
);
