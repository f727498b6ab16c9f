import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { readPaystack } from '../../providers/hooks/paystack.ts';
import type { ReadHook, ReadMessage } from '../../providers/hooks/port.ts';
import { readSimulator } from '../../providers/hooks/simulator.ts';

/** The content of a stored message. @throws Error for one whose provider is unknown or whose body was purged */
export function readMessage(
  keyring: Keyring,
  { id, provider, digest, bodySealed }: MessageName & { id: string; bodySealed: Buffer | null },
): ReadMessage {
  const reader = readers[provider];
  if (reader === undefined || bodySealed === null) throw new Error(`message ${id} cannot be read any more`);
  return reader(openBody(keyring, { provider, digest }, bodySealed));
}

const readers: Readonly<Record<string, ReadHook>> = { paystack: readPaystack, simulator: readSimulator };

const BODY = { table: 'inbox.message', column: 'body_sealed', row: ['provider', 'digest'] } as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = [BODY];

/** A message by its provider and the digest of its bytes. */
export interface MessageName {
  provider: string;
  digest: Buffer;
}

/** Seals a message's bytes, which name people and accounts. */
export const sealBody = (keyring: Keyring, { provider, digest }: MessageName, body: string): Buffer =>
  keyring.seal(BODY, [provider, digest], body);

/** A stored message's bytes. */
const openBody = (keyring: Keyring, { provider, digest }: MessageName, sealed: Buffer): string =>
  keyring.open(BODY, [provider, digest], sealed);
