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
import { mayBeOne } from './same-person.ts';
import { selectOperator } from './store.ts';

/** A run that has not ended by then has died, and the request may be approved again. */
const RUN_MAX_MS = 60_000;

interface Deps {
  db: Database;
  transact: Transact;
  clock: Clock;
  keyring: Keyring;
}

/**
 * Approves what another operator asked for, and does it, by the rules as they are now. Of any number of approvals one does it.
 * Where the process dies in between, or a store or provider is away, the request stays APPROVED and may be approved again:
 * the operation then does no more than once in all. Audited.
 *
 * @returns the request, EXECUTED, with what the operation answers
 * @throws DomainError APPROVAL_NOT_FOUND, ROLE_REFUSED, APPROVAL_OWN, APPROVAL_NOT_PENDING, APPROVAL_EXPIRED, and what the
 *   operation itself throws: the request is FAILED then, unless it is safe to try again
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

/** A refusal that stays is the end; after anything else the request may be approved again at once. */
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
 * Rejects what an operator asked for. Whoever asked may do so too, to take it back. Audited.
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

/** A request that somebody decides on. */
export interface Decision {
  id: string;
  by: AuthenticatedOperator;
  operations: WaitingOperations;
}

/** What a request that cannot be decided on ended as; the transaction that noted it commits before this is thrown. */
export type Refused = { refusal: DomainError };

/**
 * Locks a request that `by` may decide on, as far as their role goes.
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

/** Who was given a token or a role so long before a request, or since, was so lately. */
const LATELY_MS = 24 * 60 * 60 * 1000;

/**
 * Refuses who asked for it themselves, by whichever operator: one person may hold the tokens of several.
 *
 * @throws DomainError APPROVAL_OWN
 */
async function refuseOwn(tx: Tx, { requestedBy, createdAt }: ApprovalRow, by: AuthenticatedOperator): Promise<void> {
  if (requestedBy === by.id) throw new DomainError('APPROVAL_OWN', 'another operator must approve this');
  const since = new Date(createdAt.getTime() - LATELY_MS);
  if (!(await mayBeOne(tx, { asks: requestedBy, approves: by.id, since }))) return;
  const message =
    'another must approve this: one of you gave the other the token or role, or one person gave both; a new token by another admin parts you';
  throw new DomainError('APPROVAL_OWN', message);
}

/**
 * Notes that a pending request has expired, or that who asked for it may not do it any more: also of one that was approved, whose
 * run has died.
 *
 * @returns undefined: it stands
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
  const reason = 'whoever asked for it may not do it any more';
  return { refusal: await end(tx, { row, reason, errorCode: 'ROLE_REFUSED' }, now) };
}

/** Notes that a request is not as it was asked for: the row, or what is sealed in it, is another. @returns undefined: it is */
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

/** Whether it was approved, and the run that was to do it has died. */
const isDead = ({ status, runUntil }: ApprovalRow, now: Date): boolean =>
  status === 'APPROVED' && runUntil !== null && runUntil <= now;

/** Ends a request for a reason of ours: REJECTED, or FAILED where it had been approved. Audited where it had. */
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

/** The error for one that was decided on already. */
const notPending = ({ status }: ApprovalRow) =>
  new DomainError('APPROVAL_NOT_PENDING', `this request is ${status.toLowerCase()}`);

/** Whether an operator, or root, may do now what asks for a role: they are not disabled, and their role reaches. */
async function mayStillDo(db: Executor, id: string, needs: Role): Promise<boolean> {
  if (id === root.id) return true;
  const found = await selectOperator(db, id);
  return found?.status === 'ACTIVE' && mayDo(found.role, needs);
}

/**
 * Marks as expired what nobody approved or rejected in time, at most `limit` requests. Those that nobody marked yet count as
 * expired already. Several processes may do so at once.
 *
 * @returns how many
 */
export async function expireApprovals({ transact }: { transact: Transact }, limit: number, now: Date): Promise<number> {
  return transact(async (tx) => expireDue(tx, now, limit));
}
