import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, readRow } from '#lib/crypto/routing-facts.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { accountRoute, asMinor, type Poster, refusalError } from '#modules/ledger';
import type { Offers } from './offers.ts';
import { settlementPosting } from './settlement-posting.ts';
import { type Decided, type Decision, endTransaction, requireWaiting } from './transition.ts';
import type { TransactionView } from './webhook-record.ts';

/**
 * The receiver takes what it was offered: its wallet is credited from the hold in the same database transaction, and the
 * sender gets the event.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, NOT_PERMITTED, TRANSACTION_NOT_PENDING, TRANSACTION_EXPIRED; and, without
 *   deciding it, TAG_NOT_PAYABLE while one of its tags is not in use, and whatever the ledger refuses a posting for
 */
export async function acceptTransaction(
  {
    db,
    keyring,
    clock,
    poster,
    offers,
  }: { db: Database; keyring: Keyring; clock: Clock; poster: Poster; offers: Offers },
  decision: Decision,
): Promise<TransactionView> {
  const now = clock.now();
  const waiting = await requireWaiting({ db, keyring }, decision, 'receiver', now);
  if (!waiting.areTagsInUse) throw refusalError('TAG_NOT_PAYABLE');
  const posting = settlementOf(keyring, waiting);
  return endTransaction({ db, offers }, decision, waiting, {
    status: 'ACCEPTED',
    acceptedAt: now,
    now,
    posting: posting && poster.json(posting),
  });
}

/** The posting that captures the hold; undefined when nothing has to move. */
function settlementOf(keyring: Keyring, { row, holdId, senderAccount, receiverAccount }: Decided) {
  if (senderAccount === null || receiverAccount === null) throw new Error('an application has no settlement wallet');
  const offer = { ...row, amount: asMinor(row.amount), fee: asMinor(row.fee), narration: row.narration ?? undefined };
  for (const account of [senderAccount, receiverAccount]) assertAuthentic(keyring, accountRoute, readRow(account));
  const accounts = { sender: Number(senderAccount.id), receiver: Number(receiverAccount.id) };
  const posting = settlementPosting(offer, accounts);
  return posting.legs.length === 0 ? undefined : { ...posting, hold: holdId };
}
