import { and, desc, eq, lte, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { type ApprovalStatus, approvalTransitions } from './approval-status.ts';
import { approval } from './tables.ts';

export type ApprovalRow = typeof approval.$inferSelect;

type Changes = Partial<typeof approval.$inferInsert>;

/** An id for a new request; its input is sealed with it. */
export async function newApprovalId(tx: Tx): Promise<string> {
  const [row] = await uuid(tx, []);
  if (row === undefined) throw new Error('a select of a value returned none');
  return row.id;
}

const uuid = preparedText<{ id: string }>('approvals.uuid', 'select uuidv7() as id');

/** Stores a new request. @returns undefined when the same one is pending */
export async function insertApproval(tx: Tx, values: typeof approval.$inferInsert): Promise<ApprovalRow | undefined> {
  const [created] = await add(tx, values, {});
  return created;
}

const add = preparedColumns('approvals.add', approval, (db, written: Written<typeof approval.$inferInsert>) =>
  db.insert(approval).values(written).onConflictDoNothing().returning(),
);

/** The pending request of a digest, locked until the transaction ends. */
export const lockPending = (tx: Tx, digest: Buffer): Promise<ApprovalRow | undefined> => lockByDigest(tx, { digest });

// Literal statuses, so that the planner chooses the partial indexes of pending and of executed ones.
const lockByDigest = preparedOne('approvals.lock-pending', (db, given: Given<{ digest: Buffer }>) =>
  db
    .select()
    .from(approval)
    .where(and(eq(approval.digest, given.digest), sql`${approval.status} = 'PENDING'`))
    .for('update'),
);

/** The executed requests of a digest. */
export const selectExecuted = (db: Executor, digest: Buffer): Promise<ApprovalRow[]> => executed(db, { digest });

const executed = prepared('approvals.executed', (db, given: Given<{ digest: Buffer }>) =>
  db
    .select()
    .from(approval)
    .where(and(eq(approval.digest, given.digest), sql`${approval.status} = 'EXECUTED'`)),
);

/** A request. With `locked`: locked until the transaction ends. */
export async function selectApproval(db: Executor, id: string, lock?: 'locked'): Promise<ApprovalRow | undefined> {
  return lock === undefined ? byId(db, { id }) : lockById(db, { id });
}

const byId = preparedOne('approvals.by-id', (db, given: Given<{ id: string }>) =>
  db.select().from(approval).where(eq(approval.id, given.id)),
);

const lockById = preparedOne('approvals.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(approval).where(eq(approval.id, given.id)).for('update'),
);

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

/** Moves a locked request to a status that its transitions allow. */
export async function moveApproval(tx: Tx, id: string, status: ApprovalStatus, values: Changes): Promise<ApprovalRow> {
  const from = statesLeadingTo(approvalTransitions, status);
  const [moved] = await move(tx, { ...values, status }, { id, from });
  if (moved === undefined) throw new Error(`approval ${id} cannot become ${status}`);
  return moved;
}

const move = preparedColumns(
  'approvals.move',
  approval,
  (db, written: Written<Changes>, given: Given<{ id: string; from: readonly ApprovalStatus[] }>) =>
    db
      .update(approval)
      .set(written)
      .where(and(eq(approval.id, given.id), sql`${approval.status} = any(${given.from})`))
      .returning(),
);

/** Leases an approved request to a run until `runUntil`. */
export async function setRun(tx: Tx, id: string, run: { runId: string; runUntil: Date }): Promise<ApprovalRow> {
  const given = await giveTo(tx, { id, ...run });
  if (given === undefined) throw new Error(`approval ${id} is gone`);
  return given;
}

const giveTo = preparedOne('approvals.give-to-run', (db, given: Given<{ id: string; runId: string; runUntil: Date }>) =>
  db
    .update(approval)
    .set({ runId: sql`${given.runId}`, runUntil: sql`${given.runUntil}` })
    .where(eq(approval.id, given.id))
    .returning(),
);

/** Ends the run of a request, unless another run has taken it over. @returns undefined when one has */
export async function endRun(
  db: Executor,
  { id, runId }: { id: string; runId: string },
  values: Changes,
): Promise<ApprovalRow | undefined> {
  const [ended] = await end(db, values, { id, runId });
  return ended;
}

const end = preparedColumns(
  'approvals.end-run',
  approval,
  (db, written: Written<Changes>, given: Given<{ id: string; runId: string }>) =>
    db
      .update(approval)
      .set(written)
      .where(and(eq(approval.id, given.id), eq(approval.runId, given.runId), eq(approval.status, 'APPROVED')))
      .returning(),
);

/** Marks at most `limit` overdue requests as expired. @returns how many */
export async function expireDue(tx: Tx, now: Date, limit: number): Promise<number> {
  const due = await lockDue(tx, { now, limit });
  for (const { id } of due) await moveApproval(tx, id, 'EXPIRED', { endedAt: now });
  return due.length;
}

const lockDue = prepared('approvals.lock-due', (db, given: Given<{ now: Date; limit: number }>) =>
  db
    .select({ id: approval.id })
    .from(approval)
    .where(and(sql`${approval.status} = 'PENDING'`, lte(approval.expiresAt, given.now)))
    .limit(given.limit)
    .for('update', { skipLocked: true }),
);
