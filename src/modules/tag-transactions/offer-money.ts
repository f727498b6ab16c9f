import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { asMinor, type Charge, type Poster, placeHold, type Refusal, toRefusal } from '#modules/ledger';
import type { ResolvedTags } from './resolve-tags.ts';
import { bookReference, payTagPosting } from './settlement-posting.ts';
import { updateHold, updateStatus } from './store.ts';
import { readTagTransaction, type TagTransaction } from './tag-transaction.ts';
import { publish } from './tag-transaction-event.ts';

/** The ledger releases an expired hold by itself. It does so this long after the transaction expires, in case we did not. */
const HOLD_GRACE_MS = 24 * 60 * 60 * 1000;

/**
 * Holds the money of a new transaction, of which the receiver gets the event; or pays a PayTag at once, of which the
 * sender does.
 *
 * @returns the code of the ledger's refusal, undefined when there is none
 */
export async function offerMoney(
  tx: Tx,
  id: string,
  { accounts, isPayTag }: ResolvedTags,
  { poster, fees }: { poster: Poster; fees: { stampDuty: Charge } },
  now: Date,
): Promise<Refusal | undefined> {
  const transaction = await readTagTransaction(tx, id, now);
  if (isPayTag) {
    const posted = await poster.tryPost(tx, payTagPosting(transaction, accounts, fees));
    if ('refusal' in posted) return posted.refusal;
    await updateStatus(tx, id, 'ACCEPTED', { acceptedAt: now, postingId: posted.id }, now);
    await publish(tx, 'TRANSACTION_ACCEPTED', await readTagTransaction(tx, id, now));
    return undefined;
  }
  const refusal = await hold(tx, transaction, accounts.sender);
  if (refusal === undefined) await publish(tx, 'TRANSACTION_INITIATED', transaction);
  return refusal;
}

/** The reference of the hold is made of the transaction's id, which a repeated request never has. */
async function hold(tx: Tx, transaction: TagTransaction, account: number): Promise<Refusal | undefined> {
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
