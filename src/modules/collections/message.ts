import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { readPaystack } from '../../providers/hooks/paystack.ts';
import type { ReadHook, ReadMessage } from '../../providers/hooks/port.ts';
import { readSimulator } from '../../providers/hooks/simulator.ts';
import type { Outcome } from './book-provider-event.ts';
import type { MessageRow } from './store.ts';

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

/** The columns of a message that was read: its content and its outcome. */
export function changeOf(
  outcome: Outcome,
  { read: { event, content }, attempts, now }: { read: ReadMessage; attempts: number; now: Date },
): Partial<MessageRow> {
  const movement = content.kind === 'TRANSFER' || content.kind === 'CHARGE' ? content : undefined;
  const isRetried = outcome.state === 'DIFFERENT' && outcome.isRetried === true;
  return {
    event: event ?? null,
    kind: content.kind === 'UNREADABLE' ? null : content.kind,
    reference: movement?.reference ?? null,
    amount: movement?.amount ?? null,
    currency: movement?.currency ?? null,
    outcome: content.kind === 'TRANSFER' ? content.outcome : null,
    lastError: null,
    state: outcome.state,
    difference: outcome.state === 'DIFFERENT' ? outcome.difference : null,
    transactionId: ('transactionId' in outcome ? outcome.transactionId : undefined) ?? null,
    dueAt: isRetried ? retryAt(now, attempts) : null,
    endedAt: outcome.state === 'DIFFERENT' ? null : now,
    updatedAt: now,
  };
}

const RETRY_BASE_MS = 1_000;

const RETRY_MAX_MS = 60 * 60_000;

/** The time of the next retry: the interval doubles, up to an hour. */
export const retryAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + Math.min(RETRY_BASE_MS * 2 ** Math.max(0, attempts - 1), RETRY_MAX_MS));

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
