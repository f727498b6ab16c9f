import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { type Approval, toApproval } from './approval.ts';
import { moveApproval } from './approval-store.ts';
import { type Decision, endIfStale, lockForDecision, notPending } from './decide.ts';

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
