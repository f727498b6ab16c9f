import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
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
  row: ['dispute_id', 'by', 'created_at'],
} as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [column];

/** Which piece of evidence: of a dispute, by whom and when. */
type Piece = Pick<typeof evidence.$inferSelect, 'disputeId' | 'by' | 'createdAt'>;

/** A piece of evidence as it is stored. */
export const sealSaid = (keyring: Keyring, piece: Piece, { text, link }: Said) => ({
  ...piece,
  saidSealed: keyring.seal(column, [piece.disputeId, piece.by, piece.createdAt], JSON.stringify([text, link])),
});

/** What was said; no words once they are forgotten. */
export function openSaid(
  keyring: Keyring,
  { disputeId, by, createdAt, saidSealed }: Piece & { saidSealed: Buffer | null },
): Said {
  if (saidSealed === null) return { text: '' };
  const [text, link] = JSON.parse(keyring.open(column, [disputeId, by, createdAt], saidSealed)) as [
    string,
    string | null,
  ];
  return { text, link: link ?? undefined };
}
