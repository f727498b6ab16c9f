import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

/** What somebody says of a dispute: names and accounts of people may stand in it. */
export interface Said {
  text: string;
  /** Where there is more of it. */
  link?: string | undefined;
}

const purpose = 'dispute.said';

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [{ table: 'disputes.evidence', column: 'said_sealed', purpose }];

export const sealSaid = (keyring: Keyring, { text, link }: Said): Buffer =>
  keyring.seal(purpose, JSON.stringify([text, link]));

/** What was said; no words once they are forgotten. */
export function openSaid(keyring: Keyring, sealed: Buffer | null): Said {
  if (sealed === null) return { text: '' };
  const [text, link] = JSON.parse(keyring.open(purpose, sealed)) as [string, string | null];
  return { text, link: link ?? undefined };
}
