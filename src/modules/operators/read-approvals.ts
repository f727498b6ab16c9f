import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type Approval, openAnswer, openInput, type StoredInput, toApproval } from './approval.ts';
import { type ApprovalFilter, selectApproval, selectApprovals } from './approval-store.ts';
import type { AuthenticatedOperator } from './authenticate-operator.ts';
import { approvalNotFound, type WaitingOperations } from './decide.ts';
import { mayDo } from './roles.ts';

/** Requests, newest first, without what is asked for. `count` is of all that match. */
export async function listApprovals(
  { db, clock }: { db: Database; clock: Clock },
  { limit, offset, cursor, ...filter }: ApprovalFilter & PageRequest<string>,
): Promise<Listed<Approval, string>> {
  const { items, ...found } = await selectApprovals(db, filter, { limit, offset, cursor });
  const now = clock.now();
  return { items: items.map((row) => toApproval(row, now)), ...found };
}

/** A request without what is asked for, or undefined. */
export async function findApproval(
  { db, clock }: { db: Database; clock: Clock },
  id: string,
): Promise<Approval | undefined> {
  const row = await selectApproval(db, id);
  return row && toApproval(row, clock.now());
}

/**
 * A request. What is asked for is shown to whose role may do it; what was answered to whoever asked or approved.
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
