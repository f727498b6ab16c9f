import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { evidence } from './tables.ts';

/** What somebody says of a dispute: names and accounts of people may stand in it. */
export interface Said {
  text: string;
  /** Where there is more of it. */
  link?: string | undefined;
}

const column = {
  table: 'disputes.evidence',
  column: 'said_sealed',
  row: ['dispute_id', 'number', 'by', 'created_at'],
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [column];

/** Which piece of evidence: of a dispute, which of them, by whom and when. */
type Piece = Pick<typeof evidence.$inferSelect, 'disputeId' | 'number' | 'by' | 'createdAt'>;

const keyOf = ({ disputeId, number, by, createdAt }: Piece) => [disputeId, number, by, createdAt];

/** A piece of evidence as it is stored. */
export const sealSaid = (keyring: Keyring, piece: Piece, { text, link }: Said) => ({
  ...piece,
  saidSealed: keyring.seal(column, keyOf(piece), JSON.stringify([text, link])),
});

const ALTERED = 'This is not as it was stored, and is not shown: somebody changed it past the server.';

/** What was said; no words once they are forgotten. What was altered is not shown, and is a security event. */
export function openSaid(
  { keyring, securityLog }: { keyring: Keyring; securityLog: SecurityLog },
  { saidSealed, ...piece }: Piece & { saidSealed: Buffer | null },
): Said {
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
