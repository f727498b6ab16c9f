import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { routingMacOf } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { randomId } from '#lib/random.ts';
import { asMinor, type Charge, chargeOn, holdDigest, type Poster } from '#modules/ledger';
import { eventOf, type NewOffer, type Offers } from './offers.ts';
import { assertRepeated, digestOf, type NewTagTransaction } from './repeated-request.ts';
import { type ResolvedTags, resolveTags } from './resolve-tags.ts';
import { bookReference, payTagPosting } from './settlement-posting.ts';
import { offerRoute, selectByReference } from './store.ts';
import { asInitiated, type TagTransaction } from './tag-transaction.ts';
import { type TransactionView, viewAsInitiated } from './webhook-record.ts';

const HOUR_MS = 60 * 60 * 1000;
const EXPIRY_DEFAULT_MS = 72 * HOUR_MS;
const EXPIRY_MAX_MS = 30 * 24 * HOUR_MS;
/** The ledger releases an expired hold by itself. It does so this long after the transaction expires, in case we did not. */
const HOLD_GRACE_MS = 24 * HOUR_MS;

type Deps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  poster: Poster;
  offers: Offers;
  fees: { switch: Charge; stampDuty: Charge };
};

type Named = NewTagTransaction & { reference: string };

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
  const named = { ...asked, reference: asked.reference ?? `TXN-${randomId()}` };
  const offer = await describe(deps, named, clock.now()).catch(async (error: unknown) => {
    // What was asked before is answered as it was then, whatever cannot be found any more.
    const earlier = error instanceof DomainError ? await answerAsBefore(db, named) : undefined;
    if (earlier === undefined) throw error;
    return earlier;
  });
  if (!('requestHash' in offer)) return offer;
  if (await deps.offers.make(offer)) return viewAsInitiated(db, offer.transaction);
  const earlier = await answerAsBefore(db, named);
  if (earlier === undefined) throw new Error(`no transaction has the reference ${named.reference}, which is taken`);
  return earlier;
}

async function answerAsBefore(db: Database, asked: Named): Promise<TransactionView | undefined> {
  const earlier = await selectByReference(db, { senderAppId: asked.applicationId, reference: asked.reference });
  if (earlier === undefined) return undefined;
  assertRepeated(earlier, asked);
  return viewAsInitiated(db, asInitiated(earlier));
}

/** What is to be written of a new transaction, with what it holds or moves. */
async function describe({ db, keyring, poster, fees }: Deps, asked: Named, now: Date): Promise<NewOffer> {
  const tags = await resolveTags(db, keyring, asked);
  const transaction = newTransaction(asked, tags, { now, fee: chargeOn(asked.amount, fees.switch) });
  const requestHash = digestOf(asked).toString('hex');
  const routingMac = routingMacOf(keyring, offerRoute, { ...transaction, requestHash }).toString('hex');
  const offer = { transaction, requestHash, routingMac };
  if (tags.refusal !== undefined) return { ...offer, code: tags.refusal };
  if (tags.isPayTag) {
    const paid = { ...transaction, status: 'ACCEPTED' as const, acceptedAt: now };
    const posting = poster.json(payTagPosting(paid, tags.accounts, fees));
    return { ...offer, transaction: paid, event: eventOf('TRANSACTION_ACCEPTED', paid), posting };
  }
  return { ...offer, event: eventOf('TRANSACTION_INITIATED', transaction), hold: holdOf(transaction, tags) };
}

function newTransaction(
  { applicationId, reference, amount, currency, narration, expiresAt }: Named,
  { id, sender, receiver }: ResolvedTags,
  { now, fee }: { now: Date; fee: TagTransaction['fee'] },
): TagTransaction {
  return {
    id,
    reference,
    senderTag: sender.handle,
    senderAppId: applicationId,
    senderAppName: sender.applicationName,
    receiverTag: receiver.handle,
    receiverAppId: receiver.applicationId,
    receiverAppName: receiver.applicationName,
    amount,
    fee,
    currency,
    status: 'AWAITING_ACCEPTANCE',
    narration,
    expiresAt: readExpiry(expiresAt, now),
    acceptedAt: undefined,
    rejectedAt: undefined,
    rejectionReason: undefined,
    failureReason: undefined,
    createdAt: now,
    updatedAt: now,
  };
}

/** The reference of the hold is made of the transaction's id, which a repeated request never has. */
function holdOf({ id, amount, fee, expiresAt: until }: TagTransaction, { accounts }: ResolvedTags): NewOffer['hold'] {
  const account = accounts.sender;
  const expiresAt = new Date(until.getTime() + HOLD_GRACE_MS);
  const hash = holdDigest({ account, amount: asMinor(amount + fee), expiresAt }).toString('hex');
  return { reference: bookReference(id), hash, account, expiresAt };
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
