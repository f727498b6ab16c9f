import type { Clock } from '#lib/clock.ts';
import type { Database, Executor, Tx } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { asMinor, assertPosted, findApplicationAccount, type Poster, refusalError, releaseHold } from '#modules/ledger';
import { areInUse } from './resolve-tags.ts';
import { type Accounts, settlementPosting } from './settlement-posting.ts';
import { type TagTransactionRow, updatePosting } from './store.ts';
import { readTagTransaction } from './tag-transaction.ts';
import { publish } from './tag-transaction-event.ts';
import { type Decision, transitionTagTransaction } from './transition.ts';
import { type TransactionView, viewOf } from './webhook-record.ts';

/**
 * The receiver takes what it was offered: its wallet is credited from the hold in the same database transaction, and the
 * sender gets the event.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; and, without
 *   deciding it, TAG_NOT_PAYABLE while one of its tags is not in use, and whatever the ledger refuses a posting for
 */
export async function acceptTransaction(
  { transact, db, clock, poster }: { db: Database; transact: Transact; clock: Clock; poster: Poster },
  decision: Decision,
): Promise<TransactionView> {
  const now = clock.now();
  const accepted = await transact(async (tx) => {
    const offer = await transitionTagTransaction(tx, decision, 'receiver', 'ACCEPTED', { acceptedAt: now }, now);
    if (!(await areInUse(tx, [offer.senderTag, offer.receiverTag]))) throw refusalError('TAG_NOT_PAYABLE');
    await settle(tx, poster, offer);
    const transaction = await readTagTransaction(tx, decision.id, now);
    await publish(tx, 'TRANSACTION_ACCEPTED', transaction);
    return transaction;
  });
  return viewOf(db, decision.applicationId, accepted);
}

async function settle(tx: Tx, poster: Poster, row: TagTransactionRow): Promise<void> {
  const hold = row.holdId;
  if (hold === null) throw new Error(`transaction ${row.id} waits and holds nothing`);
  const offer = { ...row, amount: asMinor(row.amount), fee: asMinor(row.fee), narration: row.narration ?? undefined };
  const posting = settlementPosting(offer, await accountsOf(tx, row));
  if (posting.legs.length === 0) await releaseHold(tx, hold);
  else await updatePosting(tx, row.id, assertPosted(await poster.tryPost(tx, { ...posting, hold })).id);
}

async function accountsOf(
  db: Executor,
  { senderAppId, receiverAppId, currency }: Pick<TagTransactionRow, 'senderAppId' | 'receiverAppId' | 'currency'>,
): Promise<Accounts> {
  const sender = await findApplicationAccount(db, senderAppId, currency);
  const receiver = await findApplicationAccount(db, receiverAppId, currency);
  if (sender === undefined || receiver === undefined) throw new Error('an application has no settlement wallet');
  return { sender: sender.id, receiver: receiver.id };
}
