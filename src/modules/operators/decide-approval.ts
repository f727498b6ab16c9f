import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError, type ErrorCode } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { type Approval, actorOfBoth, openInput, sealAnswer, toApproval, type WaitingOperation } from './approval.ts';
import { type ApprovalRow, endRun, expireDue, moveApproval, selectApproval, setRun } from './approval-store.ts';
import { type AuthenticatedOperator, root } from './authenticate-operator.ts';
import { mayDo, type Role } from './roles.ts';
import { mayBeSamePerson } from './same-person.ts';
import { selectOperator } from './store.ts';

/** After this time a run counts as dead, and the request may be approved again. */
const RUN_MAX_MS = 60_000;

interface Deps {
  db: Database;
  transact: Transact;
  clock: Clock;
  keyring: Keyring;
}

/**
 * Approves another operator's request, and executes it by the current rules. Concurrent approvals execute it once. If the process
 * dies, or a store or provider is unavailable, the request stays APPROVED and may be approved again: the operation takes effect once
 * in all. Audited.
 *
 * @returns the request, EXECUTED, with the answer of the operation
 * @throws DomainError APPROVAL_NOT_FOUND, ROLE_REFUSED, APPROVAL_OWN, APPROVAL_NOT_PENDING, APPROVAL_EXPIRED, and what the
 *   operation itself throws: the request is then FAILED, unless a retry is safe
 */
export async function approveRequest(
  deps: Deps,
  decision: Decision & { reason?: string | undefined },
): Promise<Approval & { answer: unknown }> {
  const { clock, db, keyring } = deps;
  const { row, operation, runId } = await take(deps, decision);
  const { id } = row;
  const input = openInput(keyring, row);
  if (input === undefined) throw notPending(row);
  let answer: unknown;
  try {
    answer = await operation.run(input, actorOfBoth(row), {
      id,
      by: decision.by.role,
      amount: toApproval(row, clock.now()).amount,
    });
  } catch (error) {
    await fail(deps, { row, runId, error });
    throw error;
  }
  const now = clock.now();
  const ended = { status: 'EXECUTED', answerSealed: sealAnswer(keyring, row, answer), endedAt: now } as const;
  await endRun(db, { id, runId }, ended);
  return { ...toApproval({ ...row, ...ended }, now), answer };
}

async function take(
  { transact, clock, keyring }: Deps,
  decision: Decision & { reason?: string | undefined },
): Promise<{ row: ApprovalRow; operation: WaitingOperation; runId: string }> {
  const { id, by, reason } = decision;
  const now = clock.now();
  const runId = randomUUID();
  const run = { runId, runUntil: new Date(now.getTime() + RUN_MAX_MS) };
  const taken = await transact(async (tx) => {
    const { row, operation } = await lockForDecision(tx, keyring, decision);
    await refuseOwn(tx, row, by);
    const stale = (await endIfStale(tx, { row, operation }, now)) ?? (await endIfForged(tx, keyring, { row, by }, now));
    if (stale !== undefined) return stale;
    if (isDead(row, now)) {
      return { row: await setRun(tx, id, run), operation };
    }
    if (row.status !== 'PENDING') throw notPending(row);
    const decided = { decidedBy: by.id, decidedByName: by.name, decidedAt: now };
    const after = { operation: row.operation, requestedBy: row.requestedBy };
    await recordChange(tx, { actor: by.actor, action: 'approval.approve', target: id, after, reason });
    return { row: await moveApproval(tx, id, 'APPROVED', { ...decided, ...run }), operation };
  });
  if ('refusal' in taken) throw taken.refusal;
  return { ...taken, runId };
}

/** A permanent refusal fails the request; after any other error it may be approved again at once. */
async function fail(
  { transact, clock }: Deps,
  { row, runId, error }: { row: ApprovalRow; runId: string; error: unknown },
): Promise<void> {
  const now = clock.now();
  const { id } = row;
  await transact(async (tx) => {
    if (!(error instanceof DomainError) || isTransient(error)) {
      await endRun(tx, { id, runId }, { runUntil: now });
      return;
    }
    const { code, message } = error;
    const ended = await endRun(tx, { id, runId }, { status: 'FAILED', errorCode: code, reason: message, endedAt: now });
    if (ended === undefined) return;
    const after = { operation: row.operation, errorCode: code };
    await recordChange(tx, { actor: actorOfBoth(row), action: 'approval.fail', target: id, after });
  });
}

const isTransient = ({ code, retryAfterS }: DomainError): boolean =>
  retryAfterS !== undefined || code === 'BUSY' || code === 'INTERNAL_ERROR' || code.endsWith('_UNAVAILABLE');

/**
 * Rejects a request. The requester may do so too, to withdraw it. Audited.
 *
 * @throws DomainError APPROVAL_NOT_FOUND, ROLE_REFUSED, APPROVAL_NOT_PENDING, APPROVAL_EXPIRED
 */
export async function rejectRequest(
  { transact, clock, keyring }: { transact: Transact; clock: Clock; keyring: Keyring },
  { reason, ...decision }: Decision & { reason: string },
): Promise<Approval> {
  const { id, by } = decision;
  const now = clock.now();
  const ended = await transact(async (tx) => {
    const locked = await lockForDecision(tx, keyring, decision);
    const stale = await endIfStale(tx, locked, now);
    if (stale !== undefined) return stale;
    const { row } = locked;
    if (row.status !== 'PENDING') throw notPending(row);
    const decided = { decidedBy: by.id, decidedByName: by.name, decidedAt: now };
    const after = { operation: row.operation, requestedBy: row.requestedBy };
    await recordChange(tx, { actor: by.actor, action: 'approval.reject', target: id, after, reason });
    return moveApproval(tx, id, 'REJECTED', { ...decided, reason, endedAt: now });
  });
  if ('refusal' in ended) throw ended.refusal;
  return toApproval(ended, now);
}

export type WaitingOperations = ReadonlyMap<string, WaitingOperation>;

/** A decision on a request. */
export interface Decision {
  id: string;
  by: AuthenticatedOperator;
  operations: WaitingOperations;
}

/** Why a request cannot be decided; thrown after the transaction that stored its end has committed. */
export type Refused = { refusal: DomainError };

/**
 * Locks a request that the role of `by` may decide.
 *
 * @throws DomainError APPROVAL_NOT_FOUND, ROLE_REFUSED
 */
async function lockForDecision(
  tx: Tx,
  keyring: Keyring,
  { id, by, operations }: Decision,
): Promise<{ row: ApprovalRow; operation: WaitingOperation }> {
  const row = await selectApproval(tx, id, 'locked');
  const operation = row && operations.get(row.operation);
  if (row === undefined || operation === undefined) throw approvalNotFound();
  const input = operation.roleFor && openInput(keyring, row);
  const role = (input && operation.roleFor?.(input)) ?? operation.role;
  if (!mayDo(by.role, role)) {
    throw new DomainError('ROLE_REFUSED', `this needs the role ${role}, and you are ${by.role}`);
  }
  return { row, operation: { ...operation, role } };
}

/** A token or role given in this time before a request, or since, counts as recent. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/**
 * Refuses the requester as approver, also under another operator: one person may hold several tokens.
 *
 * @throws DomainError APPROVAL_OWN
 */
async function refuseOwn(tx: Tx, { requestedBy, createdAt }: ApprovalRow, by: AuthenticatedOperator): Promise<void> {
  if (requestedBy === by.id) throw new DomainError('APPROVAL_OWN', 'another operator must approve this');
  const since = new Date(createdAt.getTime() - RECENT_MS);
  if (!(await mayBeSamePerson(tx, { asks: requestedBy, approves: by.id, since }))) return;
  const message =
    'another operator must approve this: one of you gave the other their token or role, or one operator gave both; a new token from a different admin solves this';
  throw new DomainError('APPROVAL_OWN', message);
}

/**
 * Ends a pending request that has expired, or whose requester no longer has the role; also an approved one whose run has died.
 *
 * @returns undefined: it stays open
 */
async function endIfStale(
  tx: Tx,
  { row, operation }: { row: ApprovalRow; operation: WaitingOperation },
  now: Date,
): Promise<Refused | undefined> {
  if (row.status === 'EXPIRED' || (row.status === 'PENDING' && row.expiresAt <= now)) {
    if (row.status === 'PENDING') await moveApproval(tx, row.id, 'EXPIRED', { endedAt: now });
    return {
      refusal: new DomainError('APPROVAL_EXPIRED', 'the request was not approved within a day: make a new request'),
    };
  }
  if (!isOpen(row, now) || (await mayStillDo(tx, row.requestedBy, operation.role))) return undefined;
  const reason = 'its requester no longer has the role for it';
  return { refusal: await end(tx, { row, reason, errorCode: 'ROLE_REFUSED' }, now) };
}

/** Ends a request whose row or sealed input was altered. @returns undefined: it is authentic */
async function endIfForged(
  tx: Tx,
  keyring: Keyring,
  { row, by }: { row: ApprovalRow; by: AuthenticatedOperator },
  now: Date,
): Promise<Refused | undefined> {
  if (!isOpen(row, now) || openInput(keyring, row) !== undefined) return undefined;
  const reason = 'the stored request was altered: make a new request, and find out who writes to the database';
  const after = { operation: row.operation, requestedBy: row.requestedBy };
  await recordChange(tx, { actor: by.actor, action: 'approval.forged', target: row.id, after, reason });
  return { refusal: await end(tx, { row, reason, errorCode: 'APPROVAL_NOT_PENDING' }, now) };
}

const isOpen = (row: ApprovalRow, now: Date): boolean => row.status === 'PENDING' || isDead(row, now);

/** Whether it was approved, and its run has died. */
const isDead = ({ status, runUntil }: ApprovalRow, now: Date): boolean =>
  status === 'APPROVED' && runUntil !== null && runUntil <= now;

/** Ends a request on our side: REJECTED, or FAILED if it had been approved, which is audited. */
async function end(
  tx: Tx,
  { row, reason, errorCode }: { row: ApprovalRow; reason: string; errorCode: ErrorCode },
  now: Date,
): Promise<DomainError> {
  if (row.status === 'PENDING') await moveApproval(tx, row.id, 'REJECTED', { reason, endedAt: now });
  else {
    await moveApproval(tx, row.id, 'FAILED', { reason, errorCode, endedAt: now });
    const after = { operation: row.operation, errorCode };
    await recordChange(tx, { actor: actorOfBoth(row), action: 'approval.fail', target: row.id, after, reason });
  }
  return new DomainError('APPROVAL_NOT_PENDING', reason);
}

/** The error for a request that does not exist. */
export const approvalNotFound = () => new DomainError('APPROVAL_NOT_FOUND', 'there is no such request');

/** The error for one that is already decided. */
const notPending = ({ status }: ApprovalRow) =>
  new DomainError('APPROVAL_NOT_PENDING', `this request is ${status.toLowerCase()}`);

/** Whether an operator, or root, is active and has the role now. */
async function mayStillDo(db: Executor, id: string, needs: Role): Promise<boolean> {
  if (id === root.id) return true;
  const found = await selectOperator(db, id);
  return found?.status === 'ACTIVE' && mayDo(found.role, needs);
}

/**
 * Marks at most `limit` overdue requests as expired; they count as expired even before. Several processes may run it.
 *
 * @returns how many
 */
export async function expireApprovals({ transact }: { transact: Transact }, limit: number, now: Date): Promise<number> {
  return transact(async (tx) => expireDue(tx, now, limit));
}
