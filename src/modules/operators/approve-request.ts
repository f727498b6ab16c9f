import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { type Approval, actorOfBoth, openInput, sealAnswer, toApproval, type WaitingOperation } from './approval.ts';
import { type ApprovalRow, endRun, moveApproval, setRun } from './approval-store.ts';
import { type Decision, endIfForged, endIfStale, isDead, lockForDecision, notPending, refuseOwn } from './decide.ts';

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
