import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { recordChange } from '#modules/audit';
import { asMinor, type Minor } from '#modules/ledger';
import { findWalletOfReference } from '#modules/wallets';
import type { MessageContent } from '../../providers/hooks/port.ts';
import { type BookingDeps, bookCharge, changeOf } from './book-provider-event.ts';
import { readMessage } from './message.ts';
import {
  lockMessage,
  type MessageFilter,
  type MessageRow,
  selectById,
  selectMatching,
  updateMessage,
} from './store.ts';

/** A provider's message as the operator sees it. Amounts are minor units. */
export interface MessageView extends Omit<MessageRow, 'bodySealed' | 'digest'> {
  /** The payment in the message; undefined for other messages and after the body was purged. */
  charge: Extract<MessageContent, { kind: 'CHARGE' }> | undefined;
}

/** The error for a message that does not exist. */
const messageNotFound = (): DomainError => new DomainError('MESSAGE_NOT_FOUND', 'there is no such message');

/** A message of any provider. @throws DomainError MESSAGE_NOT_FOUND */
export async function getMessage(
  { db, keyring }: { db: Database; keyring: Keyring },
  id: string,
): Promise<MessageView> {
  const row = await selectById(db, { id });
  if (row === undefined) throw messageNotFound();
  return toView(keyring, row);
}

/** Provider messages, newest first. */
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
  const { content } = readMessage(keyring, row);
  return content.kind === 'CHARGE' ? content : undefined;
}

type Deps = BookingDeps & { clock: Clock };

/**
 * Queues a message that is not in the books for an immediate retry. Audited.
 *
 * @throws DomainError MESSAGE_NOT_FOUND; MESSAGE_BOOKED
 */
export async function retryMessage(
  deps: Deps,
  { id, actor, reason }: { id: string; actor: string; reason?: string | undefined },
): Promise<MessageView> {
  await deps.transact(async (tx) => {
    const row = await lockUnbooked(tx, id);
    if (row.bodySealed === null) throw booked(row, 'its body was purged');
    const now = deps.clock.now();
    const change = {
      state: 'RECEIVED',
      difference: null,
      attempts: 0,
      dueAt: now,
      endedAt: null,
      updatedAt: now,
    } as const;
    await updateMessage(tx, id, change);
    const before = { state: row.state, difference: row.difference, attempts: row.attempts };
    await recordChange(tx, { actor, action: 'inbox.retry', target: id, before, after: { state: 'RECEIVED' }, reason });
  });
  return getMessage(deps, id);
}

/**
 * Closes a DIFFERENT message that an operator has seen; its body is purged later. The books do not change, and a repeated call
 * answers the same. Audited.
 *
 * @throws DomainError MESSAGE_NOT_FOUND; MESSAGE_BOOKED for one that is in the books, or not yet tried
 */
export async function dismissMessage(
  deps: Deps,
  { id, actor, reason }: { id: string; actor: string; reason: string },
): Promise<MessageView> {
  await deps.transact(async (tx) => {
    const row = await lockUnbooked(tx, id);
    if (row.state === 'DISMISSED') return;
    if (row.state !== 'DIFFERENT') throw booked(row, 'only a DIFFERENT message can be dismissed');
    const now = deps.clock.now();
    await updateMessage(tx, id, { state: 'DISMISSED', dueAt: null, endedAt: now, updatedAt: now });
    const [before, after] = [{ state: row.state, difference: row.difference }, { state: 'DISMISSED' }];
    await recordChange(tx, { actor, action: 'inbox.dismiss', target: id, before, after, reason });
  });
  return getMessage(deps, id);
}

/**
 * Credits a wallet with a payment to an unknown account number, or to two, once two operators have found its owner. Audited.
 *
 * @throws DomainError MESSAGE_NOT_FOUND, WALLET_NOT_FOUND; MESSAGE_BOOKED for one that is in the books, or is no such payment
 */
export async function creditMessage(
  deps: Deps,
  { id, walletReference, actor, reason }: { id: string; walletReference: string; actor: string; reason: string },
): Promise<MessageView> {
  const row = await selectById(deps.db, { id });
  if (row === undefined) throw messageNotFound();
  const wallet = await findWalletOfReference(deps.db, deps.keyring, walletReference);
  toCredit(row);
  const read = readMessage(deps.keyring, row);
  const { content } = read;
  if (content.kind !== 'CHARGE') throw booked(row, 'it reports no payment');
  const { attempts } = row;
  let isCredited = false;
  await bookCharge(deps, {
    id,
    provider: row.provider,
    content,
    wallet,
    by: { actor, reason },
    changeFor: (outcome) => changeOf(outcome, { read, attempts, now: deps.clock.now() }),
    also: async (tx) => {
      await lockUnbooked(tx, id);
      const after = { state: 'BOOKED', wallet: wallet.reference, amount: String(content.amount) };
      const before = { state: row.state, difference: row.difference };
      await recordChange(tx, { actor, action: 'inbox.credit', target: id, before, after, reason });
      isCredited = true;
    },
  });
  const view = await getMessage(deps, id);
  if (view.state === 'BOOKED' && !isCredited) throw booked(view, 'another request booked it');
  return view;
}

/** What crediting a message would credit, minor units. @throws DomainError MESSAGE_NOT_FOUND, MESSAGE_BOOKED */
export async function amountToCredit({ db }: { db: Database }, id: string): Promise<Minor> {
  const row = await selectById(db, { id });
  if (row === undefined) throw messageNotFound();
  return asMinor(toCredit(row).amount);
}

function toCredit(row: MessageRow): { amount: bigint } {
  const { amount, difference, state, transactionId } = row;
  const isUnassigned = difference === 'ACCOUNT_UNKNOWN' || (difference === 'ACCOUNT_DIFFERS' && transactionId === null);
  if (state === 'DIFFERENT' && isUnassigned && amount !== null) return { amount };
  throw booked(row, 'only a payment to an unknown or unclear account can be credited to a wallet of your choice');
}

/** Locks a message that is not in the books. */
async function lockUnbooked(tx: Tx, id: string): Promise<MessageRow> {
  const row = await lockMessage(tx, { id });
  if (row === undefined) throw messageNotFound();
  if (row.state === 'BOOKED') throw booked(row, 'it is in the books');
  return row;
}

const booked = ({ state }: Pick<MessageRow, 'state'>, why: string): DomainError =>
  new DomainError('MESSAGE_BOOKED', `the message is ${state}: ${why}`);
