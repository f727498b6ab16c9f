import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, readRow, routingMacOf } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { randomId } from '#lib/random.ts';
import { payTagApplicationId } from '#modules/clients';
import {
  accountRoute,
  asMinor,
  type Charge,
  type Currency,
  chargeOn,
  holdDigest,
  type Minor,
  type Poster,
  refusalError,
  toRefusal,
} from '#modules/ledger';
import { assertPayable, parseAddress } from '#modules/tags';
import { assertWallet } from '#modules/wallets';
import { type TransactionView, viewAsInitiated } from './get-transaction.ts';
import { type Accounts, bookReference, eventOf, type NewOffer, type Offers, payTagPosting } from './offers.ts';
import { offerRoute, selectByReference, selectParties, type TagParty, type TagTransactionParts } from './store.ts';
import { asInitiated, type TagTransaction } from './tag-transaction.ts';

type Deps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  poster: Poster;
  offers: Offers;
  fees: { switch: Charge; stampDuty: Charge };
};

/** A request for a tag transaction. */
interface NewTagTransaction {
  /** The caller, whose tag sends. */
  applicationId: string;
  /** Addresses: `ada`, `@ada` or `ada@acme`. */
  senderTag: string;
  receiverTag: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the application's, forever; one of ours when left out. */
  reference?: string | undefined;
  narration?: string | undefined;
  /** Until when the receiver may accept; 72 hours when left out. */
  expiresAt?: Date | undefined;
}

type Named = NewTagTransaction & { reference: string };

/**
 * Offers money of an application to another tag. Amount and fee are held on the caller's wallet until the receiver's
 * application accepts; it gets the event. A PayTag's customer is paid at once. The same reference with the same content
 * answers the transaction as it was first; a declined one is declined again.
 *
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, SELF_TRANSFER, INVALID_PARAMETER for an expiry that is out of bounds,
 *   REFERENCE_REUSED, TAG_NOT_PAYABLE, and the ledger's refusals
 */
export async function initiateTransaction(deps: Deps, asked: NewTagTransaction): Promise<TransactionView> {
  const { db, clock } = deps;
  const named = { ...asked, reference: asked.reference ?? `TXN-${randomId()}` };
  const offer = await describe(deps, named, clock.now()).catch(async (error: unknown) => {
    // A repeated request gets its first answer, even when a tag no longer exists.
    const earlier = error instanceof DomainError ? await findFirstAnswer(db, named) : undefined;
    if (earlier === undefined) throw error;
    return earlier;
  });
  if (!('requestHash' in offer)) return offer;
  if (await deps.offers.make(offer)) return viewAsInitiated(db, offer.transaction);
  const earlier = await findFirstAnswer(db, named);
  if (earlier === undefined) throw new Error(`no transaction has the reference ${named.reference}, which is taken`);
  return earlier;
}

async function findFirstAnswer(db: Database, asked: Named): Promise<TransactionView | undefined> {
  const earlier = await selectByReference(db, { senderAppId: asked.applicationId, reference: asked.reference });
  if (earlier === undefined) return undefined;
  assertRepeated(earlier, asked);
  return viewAsInitiated(db, asInitiated(earlier));
}

/** A new transaction as it is stored, with its hold or its posting. */
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

/** The two tags of a requested transaction, with their accounts. */
interface ResolvedTags {
  /** The id of a transaction between them. */
  id: string;
  sender: TagParty;
  receiver: TagParty;
  accounts: Accounts;
  /** The receiver is a PayTag: its customer's wallet is paid at once. */
  isPayTag: boolean;
  /** Why nothing can be sent between them, if so. */
  refusal: 'TAG_NOT_PAYABLE' | undefined;
}

/**
 * Finds the parties of two tags, of which the first must be the caller's.
 *
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, SELF_TRANSFER
 * @throws AlteredRecord when a stored row of one of them was altered
 */
async function resolveTags(
  db: Executor,
  keyring: Keyring,
  asked: { applicationId: string; senderTag: string; receiverTag: string; currency: Currency },
): Promise<ResolvedTags> {
  const [from, to] = [parseAddress(asked.senderTag), parseAddress(asked.receiverTag)];
  const found = await selectParties(db, { sender: from.handle, receiver: to.handle, currency: asked.currency });
  const sender = required(found?.sender, from.namespace);
  if (sender.applicationId !== asked.applicationId) {
    throw new DomainError('NOT_PERMITTED', 'senderTag: belongs to another application');
  }
  const receiver = required(found?.receiver, to.namespace);
  if (receiver.handle === sender.handle) {
    throw new DomainError('SELF_TRANSFER', 'receiverTag: is the sender’s own tag');
  }
  const accounts = { sender: accountBehind(keyring, sender), receiver: accountBehind(keyring, receiver) };
  if (found === undefined || accounts.sender === undefined) {
    throw new Error(`application ${sender.applicationId} has no settlement wallet`);
  }
  if (accounts.receiver === undefined) {
    throw new DomainError('TAG_NOT_FOUND', 'receiverTag: this tag has no wallet');
  }
  return {
    id: found.id,
    sender,
    receiver,
    accounts: { sender: accounts.sender, receiver: accounts.receiver },
    isPayTag: receiver.applicationId === payTagApplicationId,
    refusal: sender.isSuspended || receiver.isSuspended ? 'TAG_NOT_PAYABLE' : undefined,
  };
}

/** The account of a tag, with the MACs of the whole path verified; undefined where there is none. */
function accountBehind(keyring: Keyring, { account, wallet, ...party }: TagParty): number | undefined {
  assertPayable(keyring, party);
  if (wallet !== null) assertWallet(keyring, wallet);
  if (account !== null) assertAuthentic(keyring, accountRoute, readRow(account));
  const id = wallet?.accountId ?? account?.id;
  return id == null ? undefined : Number(id);
}

function required(party: TagParty | null | undefined, namespace: string | undefined): TagParty {
  if (party == null || (namespace !== undefined && namespace !== party.namespace)) {
    throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  }
  return party;
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

/** When a new transaction expires. @throws DomainError INVALID_PARAMETER unless it is in the future, at most 30 days ahead */
function readExpiry(asked: Date | undefined, now: Date): Date {
  if (asked === undefined) return new Date(now.getTime() + EXPIRY_DEFAULT_MS);
  const aheadMs = asked.getTime() - now.getTime();
  if (aheadMs <= 0 || aheadMs > EXPIRY_MAX_MS) {
    throw new DomainError('INVALID_PARAMETER', 'expiresAt: must be in the future, at most 30 days ahead');
  }
  return asked;
}

const HOUR_MS = 60 * 60 * 1000;

const EXPIRY_DEFAULT_MS = 72 * HOUR_MS;

const EXPIRY_MAX_MS = 30 * 24 * HOUR_MS;

/** The ledger's own expiry of the hold comes this long after the transaction's, as a fallback. */
const HOLD_GRACE_MS = 24 * HOUR_MS;

/** The reference of the hold contains the transaction's id, which is new for each request. */
function holdOf({ id, amount, fee, expiresAt: until }: TagTransaction, { accounts }: ResolvedTags): NewOffer['hold'] {
  const account = accounts.sender;
  const expiresAt = new Date(until.getTime() + HOLD_GRACE_MS);
  const hash = holdDigest({ account, amount: asMinor(amount + fee), expiresAt }).toString('hex');
  return { reference: bookReference(id), hash, account, expiresAt };
}

/** A digest of the request, which identifies a repeated one. */
function digestOf({ senderTag, receiverTag, ...asked }: NewTagTransaction): Buffer {
  const { amount, currency, narration = null, expiresAt = null } = asked;
  const content = [
    parseAddress(senderTag).handle,
    parseAddress(receiverTag).handle,
    String(amount),
    currency,
    narration,
    expiresAt,
  ];
  return sha256(JSON.stringify(content));
}

/**
 * Checks that an earlier transaction of this reference came from the same request, and was not declined.
 *
 * @throws DomainError REFERENCE_REUSED, or the refusal it was declined with
 */
function assertRepeated({ row: { requestHash, code } }: TagTransactionParts, asked: NewTagTransaction): void {
  if (!requestHash.equals(digestOf(asked))) throw refusalError('REFERENCE_REUSED');
  if (code !== null) throw refusalError(toRefusal(code));
}
