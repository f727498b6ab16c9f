import type { Keyring } from '#lib/crypto/keyring.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import { actorOfBoth, openInput, type WaitingOperation } from './approval.ts';
import { type ApprovalRow, moveApproval, selectApproval } from './approval-store.ts';
import type { AuthenticatedOperator } from './authenticate-operator.ts';
import { mayBeOne } from './hands.ts';
import { mayStillDo } from './may-still-do.ts';
import { mayDo } from './roles.ts';

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
export async function lockForDecision(
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
export async function refuseOwn(
  tx: Tx,
  { requestedBy, createdAt }: ApprovalRow,
  by: AuthenticatedOperator,
): Promise<void> {
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
export async function endIfStale(
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
export async function endIfForged(
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
export const isDead = ({ status, runUntil }: ApprovalRow, now: Date): boolean =>
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
export const notPending = ({ status }: ApprovalRow) =>
  new DomainError('APPROVAL_NOT_PENDING', `this request is ${status.toLowerCase()}`);
