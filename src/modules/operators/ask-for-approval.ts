import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Minor } from '#lib/minor-units.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { type Approval, openAnswer, openInput, type StoredInput, sealInput, toApproval } from './approval.ts';
import {
  type ApprovalFilter,
  insertApproval,
  lockPending,
  moveApproval,
  newApprovalId,
  selectApproval,
  selectApprovals,
  selectExecuted,
} from './approval-store.ts';
import type { AuthenticatedOperator } from './authenticate-operator.ts';
import { approvalNotFound, type WaitingOperations } from './decide-approval.ts';
import { mayDo } from './roles.ts';

/** A request expires without an answer after a day. */
const TTL_MS = 24 * 60 * 60 * 1000;

const DIGEST_PURPOSE = 'approvals.digest';

interface Asked {
  by: AuthenticatedOperator;
  operation: string;
  input: StoredInput;
}

const digestOf = (keyring: Keyring, { by, operation, input }: Asked): Buffer =>
  keyring.blindIndex(DIGEST_PURPOSE, JSON.stringify([by.id, operation, input.params, input.body]));

/**
 * Stores an operator's request until another operator approves or rejects it. Repeated while it is pending, it returns the same
 * request. Audited, without its input.
 *
 * @param asked.amount the amount that it moves, if any
 */
export async function askForApproval(
  { transact, clock, keyring }: { transact: Transact; clock: Clock; keyring: Keyring },
  asked: Asked & { amount?: Minor | undefined; reason?: string | undefined },
): Promise<Approval> {
  const { by, operation, input, amount, reason } = asked;
  const now = clock.now();
  const digest = digestOf(keyring, asked);
  return transact(async (tx) => {
    const pending = await lockPending(tx, digest);
    if (pending !== undefined && pending.expiresAt > now) return toApproval(pending, now);
    if (pending !== undefined) await moveApproval(tx, pending.id, 'EXPIRED', { endedAt: now });
    const row = {
      id: await newApprovalId(tx),
      operation,
      digest,
      amount: amount ?? null,
      requestedBy: by.id,
      requestedByName: by.name,
    };
    const created = await insertApproval(tx, {
      ...row,
      inputSealed: sealInput(keyring, row, input),
      createdAt: now,
      expiresAt: new Date(now.getTime() + TTL_MS),
    });
    if (created === undefined) {
      const other = await lockPending(tx, digest); // created at the same moment
      if (other === undefined) throw new Error('a pending request is gone');
      return toApproval(other, now);
    }
    const after = { operation, ...(amount === undefined ? {} : { amount: String(amount) }), on: input.params };
    await recordChange(tx, { actor: by.actor, action: 'approval.request', target: created.id, after, reason });
    return toApproval(created, now);
  });
}

/** Whether an equal request of this operator was approved and executed, as long as its input is kept. */
export async function wasDone({ db, keyring }: { db: Database; keyring: Keyring }, asked: Asked): Promise<boolean> {
  const executed = await selectExecuted(db, digestOf(keyring, asked));
  return executed.some((row) => openAnswer(keyring, row) !== undefined);
}

/** Requests, newest first, without their input. `count` is of all that match. */
export async function listApprovals(
  { db, clock }: { db: Database; clock: Clock },
  { limit, offset, cursor, ...filter }: ApprovalFilter & PageRequest<string>,
): Promise<Listed<Approval, string>> {
  const { items, ...found } = await selectApprovals(db, filter, { limit, offset, cursor });
  const now = clock.now();
  return { items: items.map((row) => toApproval(row, now)), ...found };
}

/** A request without its input, or undefined. */
export async function findApproval(
  { db, clock }: { db: Database; clock: Clock },
  id: string,
): Promise<Approval | undefined> {
  const row = await selectApproval(db, id);
  return row && toApproval(row, clock.now());
}

/**
 * A request. Its input is shown to operators whose role may do the operation; its answer to the requester and the approver.
 *
 * @throws DomainError APPROVAL_NOT_FOUND
 */
export async function readApproval(
  { db, clock, keyring }: { db: Database; clock: Clock; keyring: Keyring },
  { id, by, operations }: { id: string; by: AuthenticatedOperator; operations: WaitingOperations },
): Promise<Approval & { input: StoredInput | undefined; answer: unknown }> {
  const row = await selectApproval(db, id);
  if (row === undefined) throw approvalNotFound();
  const operation = operations.get(row.operation);
  const maySee = operation !== undefined && mayDo(by.role, operation.role);
  const maySeeAnswer = maySee && [row.requestedBy, row.decidedBy].includes(by.id);
  return {
    ...toApproval(row, clock.now()),
    input: maySee ? openInput(keyring, row) : undefined,
    answer: maySeeAnswer ? openAnswer(keyring, row) : undefined,
  };
}
