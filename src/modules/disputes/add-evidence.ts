import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { isUndecided } from './dispute-state.ts';
import { type DisputeView, decided, disputeNotFound, getDispute } from './dispute-view.ts';
import { type Said, sealSaid } from './said.ts';
import { countEvidence, EVIDENCE_MAX, insertEvidence, lockDispute } from './store.ts';

interface Evidence extends Said {
  id: string;
  /** Whose wallet received the money: for its own disputes, in time. Absent: an operator, whose addition is audited. */
  partnerId?: string | undefined;
  actor?: string | undefined;
  /** Of an operator. */
  reason?: string | undefined;
}

/**
 * Adds what the partner of the wallet says of a dispute until its deadline, or an operator until it is decided.
 *
 * @throws DomainError DISPUTE_NOT_FOUND, also for another partner's; DISPUTE_STATE_CONFLICT for one that is decided;
 *   DISPUTE_EXPIRED for a partner that comes too late; INVALID_PARAMETER where fifty things were said already
 */
export async function addEvidence(
  deps: { db: Database; transact: Transact; clock: Clock; keyring: Keyring; securityLog: SecurityLog },
  { id, partnerId, actor, reason, ...said }: Evidence,
): Promise<DisputeView> {
  const { transact, clock, keyring } = deps;
  await transact(async (tx) => {
    const row = await lockDispute(tx, id);
    if (row === undefined || (partnerId ?? row.partnerId) !== row.partnerId) throw disputeNotFound();
    if (!isUndecided(row.state)) throw decided(row);
    const now = clock.now();
    // Also where nobody has marked it as expired yet.
    if (partnerId !== undefined && (row.state === 'EXPIRED' || row.respondBy <= now)) throw expired();
    const count = await countEvidence(tx, id);
    if (count >= EVIDENCE_MAX) {
      throw new DomainError('INVALID_PARAMETER', `text: a dispute has ${EVIDENCE_MAX} pieces of evidence at most`);
    }
    const by = partnerId === undefined ? 'OPERATOR' : 'PARTNER';
    await insertEvidence(tx, [sealSaid(keyring, { disputeId: id, number: count + 1, by, createdAt: now }, said)]);
    if (actor === undefined) return;
    const after = { evidence: count + 1 };
    await recordChange(tx, { actor, action: 'dispute.evidence', target: id, after, reason });
  });
  return getDispute(deps, { id });
}

const expired = () => new DomainError('DISPUTE_EXPIRED', 'the time to answer this dispute has expired');
