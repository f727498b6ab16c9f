import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { Told } from '../../providers/hooks/port.ts';
import { readMessage } from './read-message.ts';
import { type MessageFilter, type MessageRow, selectById, selectMatching } from './store.ts';

/** A provider's message as the operator sees it. Amounts are minor units. */
export interface MessageView extends Omit<MessageRow, 'bodySealed' | 'digest'> {
  /** What it says of a payment that came in; undefined of any other, and once its body is of no more use. */
  charge: Extract<Told, { kind: 'CHARGE' }> | undefined;
}

/** The error for a message that does not exist. */
export const messageNotFound = (): DomainError => new DomainError('MESSAGE_NOT_FOUND', 'there is no such message');

/** A message of any provider. @throws DomainError MESSAGE_NOT_FOUND */
export async function getMessage(
  { db, keyring }: { db: Database; keyring: Keyring },
  id: string,
): Promise<MessageView> {
  const row = await selectById(db, { id });
  if (row === undefined) throw messageNotFound();
  return toView(keyring, row);
}

/** What providers told us, newest first. */
export async function listMessages(
  { db, keyring }: { db: Executor; keyring: Keyring },
  { limit, offset, cursor, isUncounted, ...filter }: MessageFilter & PageRequest<string>,
): Promise<Listed<MessageView, string>> {
  const { items, ...found } = await selectMatching(db, filter, { limit, offset, cursor, isUncounted });
  return { items: items.map((row) => toView(keyring, row)), ...found };
}

function toView(keyring: Keyring, stored: MessageRow): MessageView {
  const { bodySealed: _sealed, digest: _digest, ...row } = stored;
  return { ...row, charge: row.kind === 'CHARGE' ? chargeOf(keyring, stored) : undefined };
}

function chargeOf(keyring: Keyring, row: MessageRow) {
  if (row.bodySealed === null) return undefined;
  const { told } = readMessage(keyring, row);
  return told.kind === 'CHARGE' ? told : undefined;
}
