import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { randomId } from '#lib/random.ts';
import type { Transact } from '#lib/transact.ts';
import { type Charge, chargeOn, type Poster } from '#modules/ledger';
import { offerMoney } from './offer-money.ts';
import { assertRepeated, digestOf, type NewTagTransaction } from './repeated-request.ts';
import { resolveTags } from './resolve-tags.ts';
import { insertTransaction, selectById, selectByReference, type TagTransactionParts, updateStatus } from './store.ts';
import { asInitiated } from './tag-transaction.ts';
import { type TransactionView, viewAsInitiated } from './webhook-record.ts';

const HOUR_MS = 60 * 60 * 1000;
const EXPIRY_DEFAULT_MS = 72 * HOUR_MS;
const EXPIRY_MAX_MS = 30 * 24 * HOUR_MS;

type Deps = {
  db: Database;
  transact: Transact;
  clock: Clock;
  poster: Poster;
  fees: { switch: Charge; stampDuty: Charge };
};

/**
 * Offers money of an application to another tag. Amount and fee are held on the caller's wallet until the receiver's
 * application accepts; it gets the event. A PayTag's customer is paid at once. The same reference with the same content
 * answers the transaction as it was then; a declined one is declined again.
 *
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, SELF_TRANSFER, INVALID_PARAMETER for an expiry that is out of bounds,
 *   REFERENCE_REUSED, TAG_NOT_PAYABLE, and what the ledger refuses a hold or a posting for
 */
export async function initiateTransaction(deps: Deps, asked: NewTagTransaction): Promise<TransactionView> {
  const { db, clock } = deps;
  const { applicationId } = asked;
  const named = { ...asked, reference: asked.reference ?? `TXN-${randomId()}` };
  const find = () => selectByReference(db, applicationId, named.reference);
  const earlier = (await find()) ?? (await make(deps, named, clock.now())) ?? (await find());
  if (earlier === undefined) throw new Error(`no transaction has the reference ${named.reference}, which is taken`);
  assertRepeated(earlier, named);
  return viewAsInitiated(db, asInitiated(earlier));
}

/** @returns undefined when another request has just used this reference */
async function make(
  { transact, db, ...deps }: Deps,
  asked: NewTagTransaction & { reference: string },
  now: Date,
): Promise<TagTransactionParts | undefined> {
  const { applicationId, reference, amount, currency, narration } = asked;
  const tags = await resolveTags(db, asked);
  const values = {
    reference,
    requestHash: digestOf(asked),
    senderAppId: applicationId,
    senderTag: tags.sender.handle,
    receiverAppId: tags.receiver.applicationId,
    receiverTag: tags.receiver.handle,
    amount,
    fee: chargeOn(amount, deps.fees.switch),
    currency,
    narration,
    expiresAt: readExpiry(asked.expiresAt, now),
    createdAt: now,
    updatedAt: now,
  };
  return transact(async (tx) => {
    const id = await insertTransaction(tx, values);
    if (id === undefined) return undefined;
    const refusal = tags.refusal ?? (await offerMoney(tx, id, tags, deps, now));
    if (refusal !== undefined) await updateStatus(tx, id, 'DECLINED', { code: refusal }, now);
    return selectById(tx, id);
  });
}

/** When a new transaction expires. @throws DomainError INVALID_PARAMETER unless it is in the future, at most 30 days ahead */
function readExpiry(asked: Date | undefined, now: Date): Date {
  if (asked === undefined) return new Date(now.getTime() + EXPIRY_DEFAULT_MS);
  const aheadMs = asked.getTime() - now.getTime();
  if (aheadMs <= 0 || aheadMs > EXPIRY_MAX_MS) {
    throw new DomainError('INVALID_PARAMETER', 'expiresAt: must be in the future, at most 30 days ahead');
  }
  return asked;
}
