import type { Pool } from 'pg';
import { type Meter, noMeter } from '#lib/meter.ts';
import { createBatchCall } from '#lib/postgres/batch-calls.ts';
import { type Refusal, refusalError, toMajor, toRefusal } from '#modules/ledger';
import type { TagTransaction } from './tag-transaction.ts';
import { eventBody, recipients, type TagTransactionEvent } from './tag-transaction-event.ts';

/** What is published with a change, once it has been made. */
interface PublishedEvent {
  owner: string;
  name: TagTransactionEvent;
  body: string;
}

/** An event of which there is one, for the side that did not cause it. */
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
  /** Why it is declined. */
  code?: string | undefined;
  hold?: { reference: string; hash: string; account: number; expiresAt: Date } | undefined;
  /** What `Poster.json` gave. */
  posting?: string | undefined;
}

/** A decision on a transaction, as `tag_transactions.decide` describes it. */
export interface DecisionMade {
  /** As the decision leaves it. */
  transaction: TagTransaction;
  event: PublishedEvent;
  /** The hold to release. */
  release?: number | undefined;
  /** What `Poster.json` gave. */
  posting?: string | undefined;
}

/**
 * Writes transactions between tags and their ends, each with the money it moves or holds, in one round trip. What comes at the
 * same time shares a database transaction; nobody waits for the money of a stranger.
 */
export interface Offers {
  /** @returns false when the sender has another transaction of this reference. @throws what the ledger refuses it for */
  make(offer: NewOffer): Promise<boolean>;
  /**
   * @returns false when it does not wait any more, or has expired
   * @throws DomainError for what the ledger refuses: then nothing was decided
   */
  decide(decision: DecisionMade): Promise<boolean>;
}

interface Outcome {
  ordinal: number;
  outcome: string;
}

/** By which the ledger's refusal of a decision is known; its message is the code. */
const REFUSED = 'PT010';

/** @param committed called after each commit: there are events */
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
  // Apart, because they take their locks in different orders.
  const settle = calls('tag_transactions.decide');
  const release = calls('tag_transactions.decide');

  /** A movement that was made, or refused: what was only set aside moves nothing. */
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
