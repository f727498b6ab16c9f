import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { evidence } from './tables.ts';

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
