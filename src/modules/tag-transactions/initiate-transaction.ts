import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { randomId } from '#lib/random.ts';
import type { Transact } from '#lib/transact.ts';
import { type Charge, chargeOn, type Refusal, refusalError } from '#modules/ledger';
import { readExpiry } from './expiry.ts';
import { offerMoney } from './offer-money.ts';
import { findParties } from './parties.ts';
import { readTransaction } from './read-transaction.ts';
import { answerAgain, digestOf, type NewTransaction } from './repeated-request.ts';
import { insertTransaction, selectByReference, updateStatus } from './store.ts';
import type { SwitchTransaction } from './transaction.ts';
import { type TransactionView, viewOf } from './webhook-record.ts';

type Deps = { db: Database; transact: Transact; clock: Clock; fees: { switch: Charge; stampDuty: Charge } };

/**
 * Offers money of an application to another tag. Amount and fee are held on the caller's wallet until the receiver's
 * application accepts, which is told; a PayTag's customer is paid at once. The same reference with the same content finds
 * the transaction again as it is now, and a declined one is declined again.
 *
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, SELF_TRANSFER, INVALID_PARAMETER for an expiry that is out of bounds,
 *   REFERENCE_REUSED, TAG_NOT_PAYABLE, and what the ledger refuses a hold or a posting for
 */
export async function initiateTransaction(
  deps: Deps,
  asked: NewTransaction,
): Promise<{ transaction: TransactionView; isNew: boolean }> {
  const { db, clock } = deps;
  const { applicationId } = asked;
  const named = { ...asked, reference: asked.reference ?? `TXN-${randomId()}` };
  const now = clock.now();
  const earlier = await selectByReference(db, applicationId, named.reference);
  const made = earlier === undefined ? await make(deps, named, now) : undefined;
  if (made === undefined) {
    const found = earlier ?? (await selectByReference(db, applicationId, named.reference));
    const transaction = await viewOf(db, applicationId, answerAgain(found, named, now));
    return { transaction, isNew: false };
  }
  if ('refusal' in made) throw refusalError(made.refusal);
  return { transaction: await viewOf(db, applicationId, made), isNew: true };
}

/** @returns undefined when somebody was quicker with this reference */
async function make(
  { transact, db, fees }: Deps,
  asked: NewTransaction & { reference: string },
  now: Date,
): Promise<SwitchTransaction | { refusal: Refusal } | undefined> {
  const { applicationId, reference, amount, currency, narration } = asked;
  const parties = await findParties(db, asked);
  const values = {
    reference,
    requestHash: digestOf(asked),
    senderAppId: applicationId,
    senderTag: parties.sender.handle,
    receiverAppId: parties.receiver.applicationId,
    receiverTag: parties.receiver.handle,
    amount,
    fee: chargeOn(amount, fees.switch),
    currency,
    narration,
    expiresAt: readExpiry(asked.expiresAt, now),
    createdAt: now,
    updatedAt: now,
  };
  return transact(async (tx) => {
    const id = await insertTransaction(tx, values);
    if (id === undefined) return undefined;
    const refusal = parties.refusal ?? (await offerMoney(tx, id, parties, fees, now));
    if (refusal === undefined) return readTransaction(tx, id, now);
    await updateStatus(tx, id, 'DECLINED', { code: refusal }, now);
    return { refusal };
  });
}
