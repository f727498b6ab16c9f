import type { Pool } from 'pg';
import { type Meter, noMeter } from '#lib/meter.ts';
import { createBatchCall } from '#lib/postgres/batch-calls.ts';
import {
  asMinor,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Posting,
  type Refusal,
  refusalError,
  systemAccount,
  toMajor,
  toRefusal,
} from '#modules/ledger';
import { eventBody, recipients, type TagTransaction, type TagTransactionEvent } from './tag-transaction.ts';

/** An event that is published with a change. */
interface PublishedEvent {
  owner: string;
  name: TagTransactionEvent;
  body: string;
}

/** The event for the side that did not cause it. */
export const eventOf = (
  name: Exclude<TagTransactionEvent, 'TRANSACTION_EXPIRED'>,
  transaction: TagTransaction,
): PublishedEvent => ({
  owner: transaction[recipients[name][0]],
  name,
  body: eventBody(name, transaction),
});

/** A new transaction, as `tag_transactions.offer` describes it. */
export interface NewOffer {
  transaction: TagTransaction;
  /** Both hexadecimal. */
  requestHash: string;
  routingMac: string;
  event?: PublishedEvent | undefined;
  /** The refusal that declines it. */
  code?: string | undefined;
  hold?: { reference: string; hash: string; account: number; expiresAt: Date } | undefined;
  /** From `Poster.json`. */
  posting?: string | undefined;
}

/** A decision on a transaction, as `tag_transactions.decide` describes it. */
export interface DecisionMade {
  /** As the decision leaves it. */
  transaction: TagTransaction;
  event: PublishedEvent;
  /** The hold to release. */
  release?: number | undefined;
  /** From `Poster.json`. */
  posting?: string | undefined;
}

/**
 * Writes offers and decisions, each with the money it moves or holds, in one round trip. Concurrent ones share a database
 * transaction; no application waits for another's money.
 */
export interface Offers {
  /** @returns false when the sender has another transaction of this reference. @throws the ledger's refusals */
  make(offer: NewOffer): Promise<boolean>;
  /**
   * @returns false when it is not pending any more, or has expired
   * @throws DomainError for the ledger's refusals, without a decision
   */
  decide(decision: DecisionMade): Promise<boolean>;
}

interface Outcome {
  ordinal: number;
  outcome: string;
}

/** SQLSTATE of the ledger's refusal of a decision; the message is the code. */
const REFUSED = 'PT010';

/** @param committed called after each commit, which has events */
export function createOffers(pool: Pool, committed: () => void, metrics: Meter = noMeter): Offers {
  const calls = (name: string) =>
    createBatchCall<Outcome>(pool, {
      name,
      columns: 'ordinal, outcome',
      poolShare: 0.25,
      locksAccounts: true,
      committed,
      metrics,
    });
  const offer = calls('tag_transactions.offer');
  // Two calls, because they take their locks in different orders.
  const settle = calls('tag_transactions.decide');
  const release = calls('tag_transactions.decide');

  /** Counts a posted or refused movement; a hold moves nothing. */
  const count = ({ amount, currency }: TagTransaction, outcome: 'posted' | Refusal) => {
    metrics.add('paytag_ledger_postings_total', { type: 'SWITCH', outcome });
    if (outcome === 'posted')
      metrics.add('paytag_ledger_posted_amount_total', { type: 'SWITCH', currency }, toMajor(amount));
  };

  return {
    async make({ transaction, posting, ...more }) {
      const { id, reference, senderAppId, receiverAppId, senderTag, receiverTag, amount, fee, currency } = transaction;
      const { narration, expiresAt, createdAt: now } = transaction;
      const parties = { senderAppId, receiverAppId, senderTag, receiverTag };
      const what = { id, reference, ...parties, amount: String(amount), fee: String(fee), currency, narration };
      const member = withPosting({ ...what, expiresAt, now, ...more }, posting);
      const { outcome } = await offer(senderAppId, member);
      if (outcome === 'TAKEN') return false;
      if (outcome === 'ACCEPTED' && posting !== undefined) count(transaction, 'posted');
      if (outcome === 'AWAITING_ACCEPTANCE' || outcome === 'ACCEPTED') return true;
      count(transaction, toRefusal(outcome));
      throw refusalError(toRefusal(outcome));
    },
    async decide({ transaction, posting, ...more }) {
      const { id, reference, status: to, updatedAt: now, rejectionReason, senderAppId } = transaction;
      const member = withPosting({ id, reference, to, now, rejectionReason, ...more }, posting);
      const call = posting === undefined ? release : settle;
      const { outcome } = await call(senderAppId, member).catch((error: unknown) => {
        throw isRefused(error) ? refusalError(toRefusal(error.message)) : error;
      });
      if (outcome === 'DONE' && posting !== undefined) count(transaction, 'posted');
      return outcome === 'DONE';
    },
  };
}

const isRefused = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && error.code === REFUSED;

/** A posting is JSON already. */
const withPosting = (member: object, posting: string | undefined): string => {
  const json = JSON.stringify(member);
  return posting === undefined ? json : `${json.slice(0, -1)},"posting":${posting}}`;
};

/** The reference of a transaction's hold and posting in the ledger. */
export const bookReference = (id: string): string => `SWT-${id}`;

const BOOKED = /^SWT-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The id of a transaction by its reference in the ledger; undefined for any other reference. */
export const bookedAs = (reference: string): string | undefined => BOOKED.exec(reference)?.[1];

type Offer = Pick<TagTransaction, 'id' | 'reference' | 'senderAppId' | 'amount' | 'fee' | 'currency' | 'narration'>;

/** The ids of the ledger's accounts. */
export interface Accounts {
  sender: number;
  receiver: number;
}

/**
 * The posting that settles a transaction: the sender pays the fee on top. Between tags of one application only the fee
 * moves; without a fee there are no legs.
 *
 * @param stampDuty taken from the amount that arrives
 */
export function settlementPosting(
  { id, reference, senderAppId, amount, fee, currency, narration }: Offer,
  { sender, receiver }: Accounts,
  stampDuty: Minor = asMinor(0n),
): Posting {
  const isOneWallet = sender === receiver;
  const legs: Leg[] = [
    { account: sender, amount: negated(isOneWallet ? fee : asMinor(amount + fee)), fee },
    { account: receiver, amount: isOneWallet ? asMinor(0n) : asMinor(amount - stampDuty), fee: stampDuty },
    { account: systemAccount('FEE', currency), amount: fee },
    { account: systemAccount('STAMP_DUTY', currency), amount: stampDuty },
  ];
  return {
    owner: senderAppId,
    namer: 'APPLICATION',
    reference: bookReference(id),
    type: 'SWITCH',
    amount,
    fee,
    stampDuty,
    currency,
    source: sender,
    destination: receiver,
    externalReference: reference,
    comment: narration,
    legs: legs.filter((leg) => leg.amount !== 0n),
    request: { type: 'SWITCH', transaction: id },
  };
}

/** The posting that pays a PayTag at once, out of the sender's wallet: stamp duty is taken from the amount that arrives. */
export function payTagPosting(offer: Offer, accounts: Accounts, fees: { stampDuty: Charge }): Posting {
  const stampDuty = chargeOn(offer.amount, fees.stampDuty);
  const posting = settlementPosting(offer, accounts, stampDuty);
  return stampDuty < offer.amount ? posting : { ...posting, predecidedRefusal: 'AMOUNT_TOO_SMALL' };
}
