import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

const BODY = { table: 'inbox.message', column: 'body_sealed', row: ['provider', 'digest'] } as const;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [BODY];

/** Which message: a provider's, by the digest of its bytes. */
export interface MessageName {
  provider: string;
  digest: Buffer;
}

/** A message's bytes as they are stored: they name people and accounts. */
export const sealBody = (keyring: Keyring, { provider, digest }: MessageName, body: string): Buffer =>
  keyring.seal(BODY, [provider, digest], body);

/** A stored message's bytes. */
export const openBody = (keyring: Keyring, { provider, digest }: MessageName, sealed: Buffer): string =>
  keyring.open(BODY, [provider, digest], sealed);
