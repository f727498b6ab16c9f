import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

const PURPOSE = 'inbox.message';

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'inbox.message', column: 'body_sealed', purpose: PURPOSE },
];

/** A message's bytes as they are stored: they name people and accounts. */
export const sealBody = (keyring: Keyring, body: string): Buffer => keyring.seal(PURPOSE, body);

/** A stored message's bytes. */
export const openBody = (keyring: Keyring, sealed: Buffer): string => keyring.open(PURPOSE, sealed);
