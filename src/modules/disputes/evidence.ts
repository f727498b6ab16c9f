import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type DisputeView, decided, disputeNotFound, getDispute } from './dispute.ts';
import { countEvidence, EVIDENCE_MAX, insertEvidence, lockDispute } from './store.ts';
import type { evidence } from './tables.ts';
import { isUndecided } from './tables.ts';

interface Evidence extends EvidenceText {
  id: string;
  /** The wallet's partner, for its own disputes before the deadline. Absent: an operator, whose addition is audited. */
  partnerId?: string | undefined;
  actor?: string | undefined;
  /** The operator's. */
  reason?: string | undefined;
}

/**
 * Adds evidence: by the wallet's partner until the deadline, by an operator until the decision.
 *
 * @throws DomainError DISPUTE_NOT_FOUND, also for another partner's; DISPUTE_STATE_CONFLICT for one that is decided;
 *   DISPUTE_EXPIRED for a partner after the deadline; INVALID_PARAMETER when there are fifty pieces already
 */
export async function addEvidence(
  deps: { db: Database; transact: Transact; clock: Clock; keyring: Keyring; securityLog: SecurityLog },
  { id, partnerId, actor, reason, ...said }: Evidence,
): Promise<DisputeView> {
  const { transact, clock, keyring } = deps;
  await transact(async (tx) => {
    const row = await lockDispute(tx, { id });
    if (row === undefined || (partnerId ?? row.partnerId) !== row.partnerId) throw disputeNotFound();
    if (!isUndecided(row.state)) throw decided(row);
    const now = clock.now();
    // Overdue, even before it is marked as expired.
    if (partnerId !== undefined && (row.state === 'EXPIRED' || row.respondBy <= now)) throw expired();
    const count = await countEvidence(tx, id);
    if (count >= EVIDENCE_MAX) {
      throw new DomainError('INVALID_PARAMETER', `text: a dispute has ${EVIDENCE_MAX} pieces of evidence at most`);
    }
    const by = partnerId === undefined ? 'OPERATOR' : 'PARTNER';
    await insertEvidence(tx, [sealEvidence(keyring, { disputeId: id, number: count + 1, by, createdAt: now }, said)]);
    if (actor === undefined) return;
    const after = { evidence: count + 1 };
    await recordChange(tx, { actor, action: 'dispute.evidence', target: id, after, reason });
  });
  return getDispute(deps, { id });
}

const expired = () => new DomainError('DISPUTE_EXPIRED', 'the time to answer this dispute has expired');

/** The text of a piece of evidence: it may name people and accounts. */
export interface EvidenceText {
  text: string;
  /** A link to more. */
  link?: string | undefined;
}

const column = {
  table: 'disputes.evidence',
  column: 'said_sealed',
  row: ['dispute_id', 'number', 'by', 'created_at'],
} as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = [column];

type Piece = Pick<typeof evidence.$inferSelect, 'disputeId' | 'number' | 'by' | 'createdAt'>;

const keyOf = ({ disputeId, number, by, createdAt }: Piece) => [disputeId, number, by, createdAt];

/** Seals a piece of evidence. */
export const sealEvidence = (keyring: Keyring, piece: Piece, { text, link }: EvidenceText) => ({
  ...piece,
  saidSealed: keyring.seal(column, keyOf(piece), JSON.stringify([text, link])),
});

const ALTERED = 'This text is not shown: it was altered in the database.';

/** The text of a piece of evidence; empty once purged. An altered one is not shown, and is a security event. */
export function openEvidence(
  { keyring, securityLog }: { keyring: Keyring; securityLog: SecurityLog },
  { saidSealed, ...piece }: Piece & { saidSealed: Buffer | null },
): EvidenceText {
  if (saidSealed === null) return { text: '' };
  try {
    const [text, link] = JSON.parse(keyring.open(column, keyOf(piece), saidSealed)) as [string, string | null];
    return { text, link: link ?? undefined };
  } catch (error) {
    if (!(error instanceof AlteredRecord)) throw error;
    securityLog.record('stored_record_altered', { record: error.record });
    return { text: ALTERED };
  }
}
