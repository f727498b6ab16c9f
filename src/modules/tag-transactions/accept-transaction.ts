import type { Clock } from '#lib/clock.ts';
import type { Database, Executor, Tx } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { asMinor, findApplicationAccount, post, refusalError, releaseHold } from '#modules/ledger';
import { type Decision, moveTransaction } from './move-transaction.ts';
import { areInUse } from './parties.ts';
import { readTransaction } from './read-transaction.ts';
import { type Accounts, settlementPosting } from './settlement-posting.ts';
import { type TransactionParts, updatePosting } from './store.ts';
import type { SwitchTransaction } from './transaction.ts';
import { tell } from './transaction-event.ts';
import { type TransactionView, viewOf } from './webhook-record.ts';

/**
 * The receiver takes what it was offered: its wallet is credited out of the hold in the same database transaction, and
 * the sender is told.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; and what
 *   leaves it waiting: TAG_NOT_PAYABLE while a tag of it is not in use, and what the ledger refuses a posting for
 */
export async function acceptTransaction(
  { transact, db, clock }: { db: Database; transact: Transact; clock: Clock },
  decision: Decision,
): Promise<TransactionView> {
  const now = clock.now();
  const accepted = await transact(async (tx) => {
    const offer = await moveTransaction(tx, decision, 'receiver', 'ACCEPTED', { acceptedAt: now }, now);
    if (!(await areInUse(tx, [offer.senderTag, offer.receiverTag]))) throw refusalError('TAG_NOT_PAYABLE');
    await settle(tx, offer);
    const transaction = await readTransaction(tx, decision.id, now);
    await tell(tx, 'TRANSACTION_ACCEPTED', transaction);
    return transaction;
  });
  return viewOf(db, decision.applicationId, accepted);
}

async function settle(tx: Tx, row: TransactionParts['transaction']): Promise<void> {
  const hold = row.holdId;
  if (hold === null) throw new Error(`transaction ${row.id} waits and holds nothing`);
  const offer = { ...row, amount: asMinor(row.amount), fee: asMinor(row.fee), narration: row.narration ?? undefined };
  const posting = settlementPosting(offer, await accountsOf(tx, row));
  if (posting.legs.length === 0) await releaseHold(tx, hold);
  else await updatePosting(tx, row.id, (await post(tx, { ...posting, hold })).id);
}

async function accountsOf(
  db: Executor,
  { senderAppId, receiverAppId, currency }: Pick<SwitchTransaction, 'senderAppId' | 'receiverAppId' | 'currency'>,
): Promise<Accounts> {
  const sender = await findApplicationAccount(db, senderAppId, currency);
  const receiver = await findApplicationAccount(db, receiverAppId, currency);
  if (sender === undefined || receiver === undefined) throw new Error('an application has no settlement wallet');
  return { sender: sender.id, receiver: receiver.id };
}
