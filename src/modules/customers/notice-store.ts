import { eq, inArray, lte, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { partner } from '#modules/clients';
import { notice } from './tables.ts';

export type NoticeRow = typeof notice.$inferSelect;

/** A notice of which nothing was sent yet. */
type NewNotice = Omit<typeof notice.$inferInsert, 'attempts' | 'sentAt'>;

/** Stores new notices. */
export async function insertNotices(tx: Tx, values: readonly NewNotice[]): Promise<void> {
  if (values.length === 0) return;
  const column = (name: keyof NewNotice) => values.map((one) => one[name] ?? null);
  await add(tx, COLUMNS.map(column));
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

const add = preparedText(
  'notices.add',
  `insert into notices.notice (id, customer_id, partner_id, kind, channel, recipient_sealed, detail, happened_at, due_at)
   select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bytea[], $7::text[],
     $8::timestamptz[], $9::timestamptz[])`,
  { writes: true },
);

/** Claims notices that are due. Nobody else claims them within the lease, nor later if they were reported on by then. */
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

/** Has a claimed notice looked at again later, as if nobody had claimed it. */
export async function hold(db: Executor, id: string, dueAt: Date): Promise<void> {
  await db
    .update(notice)
    .set({ dueAt, attempts: sql`${notice.attempts} - 1` })
    .where(eq(notice.id, id));
}

/** Ends a claimed notice, and drops its address. @param sentAt null: it was given up */
export async function endNotice(db: Executor, id: string, sentAt: Date | null): Promise<void> {
  await db.update(notice).set({ dueAt: null, recipientSealed: null, sentAt }).where(eq(notice.id, id));
}
