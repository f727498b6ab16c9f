import { and, count, desc, eq, gte, lte, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { account, transaction } from '#modules/ledger';
import type { DisputeState } from './dispute-state.ts';
import { dispute, evidence } from './tables.ts';

export type DisputeRow = typeof dispute.$inferSelect;

/** Evidence of one dispute at most. */
export const EVIDENCE_MAX = 50;

/** Stores an open dispute. @returns undefined when the transaction has an undecided one */
export async function insertDispute(tx: Tx, values: typeof dispute.$inferInsert): Promise<DisputeRow | undefined> {
  const [inserted] = await add(tx, values, {});
  return inserted;
}

const add = preparedColumns('disputes.add', dispute, (db, written: Written<typeof dispute.$inferInsert>) =>
  db.insert(dispute).values(written).onConflictDoNothing().returning(),
);

/** The undecided dispute of a transaction that the caller has locked. */
export const selectUndecided = preparedOne('disputes.undecided', (db, given: Given<{ transactionId: number }>) =>
  db
    .select({ id: dispute.id })
    .from(dispute)
    .where(and(eq(dispute.transactionId, given.transactionId), sql`${dispute.state} in ('OPEN', 'EXPIRED')`)),
);

/** A dispute, locked until this transaction ends: before its wallet and its transaction are. */
export const lockDispute = preparedOne('disputes.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(dispute).where(eq(dispute.id, given.id)).for('no key update'),
);

/** Changes a dispute that the caller has locked. @returns it as it is now */
export async function updateDispute(
  tx: Tx,
  id: string,
  change: Partial<Pick<DisputeRow, 'state' | 'expiredAt' | 'decidedAt' | 'decision' | 'refundId'>>,
): Promise<DisputeRow> {
  const [changed] = await setColumns(tx, change, { id });
  if (changed === undefined) throw new Error(`dispute ${id} is gone`);
  return changed;
}

const setColumns = preparedColumns(
  'disputes.change',
  dispute,
  (db, written: Written<Partial<DisputeRow>>, given: Given<{ id: string }>) =>
    db.update(dispute).set(written).where(eq(dispute.id, given.id)).returning(),
);

export async function insertEvidence(tx: Tx, values: readonly (typeof evidence.$inferInsert)[]): Promise<void> {
  await Promise.all(values.map(async (one) => addEvidence(tx, one, {})));
}

const addEvidence = preparedColumns(
  'disputes.add-evidence',
  evidence,
  (db, written: Written<typeof evidence.$inferInsert>) => db.insert(evidence).values(written),
);

export async function countEvidence(tx: Tx, disputeId: string): Promise<number> {
  return (await countOf(tx, { disputeId }))?.count ?? 0;
}

const countOf = preparedOne('disputes.count-evidence', (db, given: Given<{ disputeId: string }>) =>
  db.select({ count: count() }).from(evidence).where(eq(evidence.disputeId, given.disputeId)),
);

/** Locks overdue open disputes that no other process has locked, the oldest first, until this transaction ends. */
export const lockOverdue = prepared('disputes.lock-overdue', (db, given: Given<{ now: Date; limit: number }>) =>
  db
    .select()
    .from(dispute)
    .where(and(sql`${dispute.state} = 'OPEN'`, lte(dispute.respondBy, given.now)))
    .orderBy(dispute.respondBy)
    .limit(given.limit)
    .for('no key update', { skipLocked: true }),
);

/** The disputed transaction. */
export async function selectTransaction(db: Executor, id: number): Promise<typeof transaction.$inferSelect> {
  const found = await transactionById(db, { id });
  if (found === undefined) throw new Error(`transaction ${id} is gone`);
  return found;
}

const transactionById = preparedOne('disputes.transaction', (db, given: Given<{ id: number }>) =>
  db.select().from(transaction).where(eq(transaction.id, given.id)),
);

/** A sealed piece of evidence. */
export interface EvidenceParts {
  number: number;
  by: 'OPERATOR' | 'PARTNER';
  saidSealed: Buffer | null;
  createdAt: Date;
}

/** A dispute with its transaction, the wallet's account and its evidence, the oldest first. */
export interface DisputeParts {
  row: DisputeRow;
  transaction: typeof transaction.$inferSelect;
  account: typeof account.$inferSelect;
  refund: { reference: string; amount: bigint } | null;
  evidence: EvidenceParts[];
}

const refund = alias(transaction, 'refund');

const said =
  sql`(select coalesce(json_agg(json_build_array(e.number, e.by, encode(e.said_sealed, 'base64'), e.created_at) order by e.number), '[]')
  from disputes.evidence e where e.dispute_id = ${dispute.id})`.mapWith(
    (all: [number, EvidenceParts['by'], string | null, string][]): EvidenceParts[] =>
      all.map(([number, by, sealed, createdAt]) => ({
        number,
        by,
        saidSealed: sealed === null ? null : Buffer.from(sealed, 'base64'),
        createdAt: new Date(createdAt),
      })),
  );

const selectParts = (db: Executor) =>
  db
    .select({
      row: dispute,
      transaction,
      account,
      refund: { reference: refund.reference, amount: refund.amount },
      evidence: said,
    })
    .from(dispute)
    .innerJoin(transaction, eq(transaction.id, dispute.transactionId))
    .innerJoin(account, eq(account.id, dispute.accountId))
    .leftJoin(refund, eq(refund.id, dispute.refundId));

/** A dispute of any partner. */
export const selectById = preparedOne('disputes.by-id', (db, given: Given<{ id: string }>) =>
  selectParts(db).where(eq(dispute.id, given.id)),
);

export interface DisputeFilter {
  partnerId?: string | undefined;
  transactionId?: number | undefined;
  state?: DisputeState | undefined;
  /** With a deadline at this moment or before. */
  dueBefore?: Date | undefined;
  /** Opened at or after `from`, and at or before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const listed = alias(dispute, 'd');

/** Disputes of all partners or one, newest first. */
export async function selectMatching(
  db: Executor,
  filter: DisputeFilter,
  page: PageRequest<string>,
): Promise<Listed<DisputeParts, string>> {
  const { partnerId, transactionId, state, dueBefore, from, to } = filter;
  const row = listed;
  const ofState = state === undefined ? undefined : eq(row.state, state);
  const isOfAll = partnerId === undefined && transactionId === undefined;
  const within = and(
    partnerId === undefined ? undefined : eq(row.partnerId, partnerId),
    transactionId === undefined ? undefined : eq(row.transactionId, transactionId),
    isOfAll ? ofState : undefined,
  );
  const matches = and(
    isOfAll ? undefined : ofState,
    dueBefore === undefined ? undefined : lte(row.respondBy, dueBefore),
    from === undefined ? undefined : gte(row.createdAt, from),
    to === undefined ? undefined : lte(row.createdAt, to),
  );
  return pageOfWalk(db, { name: 'disputes', filter, table: dispute, row, key: row.id, within, matches }, page, {
    rows: (keys) => selectParts(db).where(sql`${dispute.id} in (${keys})`).orderBy(desc(dispute.id)),
    keyOf: ({ row: { id } }) => id,
  });
}
