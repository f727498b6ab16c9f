import { and, desc, eq, lte, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { pageOfWalk } from '#lib/walk.ts';
import { type ApprovalStatus, approvalTransitions } from './approval-status.ts';
import { approval } from './tables.ts';

export type ApprovalRow = typeof approval.$inferSelect;

/** An id for a new request, known before what is asked for is sealed with it. */
export async function newApprovalId(tx: Tx): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(sql`select uuidv7() as id`);
  const [row] = rows;
  if (row === undefined) throw new Error('a select of a value returned none');
  return row.id;
}

/** Stores a new request. @returns undefined when the same one is pending */
export async function insertApproval(tx: Tx, values: typeof approval.$inferInsert): Promise<ApprovalRow | undefined> {
  const [created] = await tx.insert(approval).values(values).onConflictDoNothing().returning();
  return created;
}

/** The pending request of a digest, locked until the transaction ends. */
export async function lockPending(tx: Tx, digest: Buffer): Promise<ApprovalRow | undefined> {
  const pending = and(eq(approval.digest, digest), eq(approval.status, 'PENDING'));
  const [found] = await tx.select().from(approval).where(pending).for('update');
  return found;
}

/** The requests of a digest that were approved and done. */
export async function selectExecuted(db: Executor, digest: Buffer): Promise<ApprovalRow[]> {
  return db
    .select()
    .from(approval)
    .where(and(eq(approval.digest, digest), eq(approval.status, 'EXECUTED')));
}

/** A request. With `locked`: locked until the transaction ends. */
export async function selectApproval(db: Executor, id: string, lock?: 'locked'): Promise<ApprovalRow | undefined> {
  const query = db.select().from(approval).where(eq(approval.id, id));
  const [found] = await (lock === undefined ? query : query.for('update'));
  return found;
}

export interface ApprovalFilter {
  status?: ApprovalStatus | undefined;
  operation?: string | undefined;
  requestedBy?: string | undefined;
}

const listed = alias(approval, 'a');

/** Requests, newest first. `count` is of all that match. */
export async function selectApprovals(
  db: Executor,
  filter: ApprovalFilter,
  page: PageRequest<string>,
): Promise<Listed<ApprovalRow, string>> {
  const { status, operation, requestedBy } = filter;
  const within = status && eq(listed.status, status);
  const matches = and(
    operation === undefined ? undefined : eq(listed.operation, operation),
    requestedBy === undefined ? undefined : eq(listed.requestedBy, requestedBy),
  );
  const walk = { name: 'approvals', filter, table: approval, row: listed, key: listed.id, within, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(approval).where(sql`${approval.id} in (${keys})`).orderBy(desc(approval.id)),
    keyOf: ({ id }) => id,
  });
}

/** Moves a request that is locked to a state that it may come to. */
export async function moveApproval(
  tx: Tx,
  id: string,
  status: ApprovalStatus,
  values: Partial<typeof approval.$inferInsert>,
): Promise<ApprovalRow> {
  const [moved] = await tx
    .update(approval)
    .set({ ...values, status })
    .where(and(eq(approval.id, id), or(...statesLeadingTo(approvalTransitions, status).map(isIn))))
    .returning();
  if (moved === undefined) throw new Error(`approval ${id} cannot become ${status}`);
  return moved;
}

const isIn = (status: ApprovalStatus) => eq(approval.status, status);

/** Gives an approved request to a run, alone until `runUntil`. */
export async function setRun(tx: Tx, id: string, run: { runId: string; runUntil: Date }): Promise<ApprovalRow> {
  const [given] = await tx.update(approval).set(run).where(eq(approval.id, id)).returning();
  if (given === undefined) throw new Error(`approval ${id} is gone`);
  return given;
}

/** Ends the run of a request, unless another run has taken it over. @returns undefined when one has */
export async function endRun(
  db: Executor,
  { id, runId }: { id: string; runId: string },
  values: Partial<typeof approval.$inferInsert>,
): Promise<ApprovalRow | undefined> {
  const own = and(eq(approval.id, id), eq(approval.runId, runId), eq(approval.status, 'APPROVED'));
  const [ended] = await db.update(approval).set(values).where(own).returning();
  return ended;
}

/** Marks at most `limit` requests as expired that nobody answered in time. @returns how many */
export async function expireDue(tx: Tx, now: Date, limit: number): Promise<number> {
  const due = await tx
    .select({ id: approval.id })
    .from(approval)
    .where(and(eq(approval.status, 'PENDING'), lte(approval.expiresAt, now)))
    .limit(limit)
    .for('update', { skipLocked: true });
  for (const { id } of due) await moveApproval(tx, id, 'EXPIRED', { endedAt: now });
  return due.length;
}
