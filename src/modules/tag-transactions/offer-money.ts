import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { asMinor, type Charge, placeHold, type Refusal, toRefusal, tryPost } from '#modules/ledger';
import type { Parties } from './parties.ts';
import { readTransaction } from './read-transaction.ts';
import { bookReference, payTagPosting } from './settlement-posting.ts';
import { updateHold, updateStatus } from './store.ts';
import type { SwitchTransaction } from './transaction.ts';
import { tell } from './transaction-event.ts';

/** The ledger gives a hold back by itself only where we failed to, and so long after the transaction's own end. */
const HOLD_GRACE_MS = 24 * 60 * 60 * 1000;

/**
 * Holds the money of a new transaction and tells the receiver; or pays a PayTag at once and tells the sender.
 *
 * @returns the code of the refusal, undefined when there is none
 */
export async function offerMoney(
  tx: Tx,
  id: string,
  { accounts, isPayTag }: Parties,
  fees: { stampDuty: Charge },
  now: Date,
): Promise<Refusal | undefined> {
  const transaction = await readTransaction(tx, id, now);
  if (isPayTag) {
    const posted = await tryPost(tx, payTagPosting(transaction, accounts, fees));
    if ('refusal' in posted) return posted.refusal;
    await updateStatus(tx, id, 'ACCEPTED', { acceptedAt: now, postingId: posted.id }, now);
    await tell(tx, 'TRANSACTION_ACCEPTED', await readTransaction(tx, id, now));
    return undefined;
  }
  const refusal = await hold(tx, transaction, accounts.sender);
  if (refusal === undefined) await tell(tx, 'TRANSACTION_INITIATED', transaction);
  return refusal;
}

/** The hold's own reference is made of the transaction's id: what a repeated request works out anew never meets it. */
async function hold(tx: Tx, transaction: SwitchTransaction, account: number): Promise<Refusal | undefined> {
  const { id, senderAppId: owner, amount, fee, expiresAt } = transaction;
  const until = new Date(expiresAt.getTime() + HOLD_GRACE_MS);
  const request = { owner, reference: bookReference(id), account, amount: asMinor(amount + fee), expiresAt: until };
  try {
    await updateHold(tx, id, await placeHold(tx, request));
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return toRefusal(error.code);
    throw error;
  }
}
