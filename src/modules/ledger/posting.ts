import { sha256 } from '#lib/crypto/digest.ts';
import type { Currency, Minor } from './money.ts';
import type { Refusal } from './refusals.ts';

/** The types that partners see, and after them our own movements, which no partner sees. */
export type TransactionType =
  | 'PARTNER_WALLET_CREDIT'
  | 'PARTNER_WALLET_DEBIT'
  | 'PARTNER_REFUND'
  | 'PARTNER_GATEWAY'
  | 'PARTNER_TERMINAL'
  | 'TRANSFER'
  | 'INBOUND'
  | 'FLOAT_FUNDING'
  | 'FLOAT_SETTLEMENT'
  | 'APPLICATION_FUNDING'
  | 'SWITCH';

/** The owner of references that the operator gives. */
export const OPERATOR = '00000000-0000-0000-0000-000000000000';

export interface Leg {
  account: number;
  /** Signed, the fee included. */
  amount: Minor;
  /** The part of the amount that is a fee, unsigned. */
  fee?: Minor | undefined;
}

/** A movement of money: legs that sum to zero, each account named once. Amounts are minor units. */
export interface Posting {
  /** `reference` is unique among the references of this owner, for ever. */
  owner: string;
  reference: string;
  /** The partner whose books it belongs to. */
  partner?: string | undefined;
  type: TransactionType;
  /** The principal, unsigned. */
  amount: Minor;
  fee?: Minor | undefined;
  commission?: Minor | undefined;
  stampDuty?: Minor | undefined;
  currency: Currency;
  /** The accounts that the principal leaves and reaches: a refund goes back that way. */
  source: number;
  destination: number;
  externalReference?: string | undefined;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  legs: readonly Leg[];
  /** The transaction that this one refunds. */
  original?: number | undefined;
  /** With `original`: refunds whatever is left of it at the time of posting; amount and legs say what was left when asked. */
  refundsRemainder?: true | undefined;
  /** Where the money of a refund waits while its wallet takes nothing in; absent: such a refund is refused. */
  suspenseAccount?: number | undefined;
  /** The hold that this one captures. */
  hold?: number | undefined;
  /** The account whose daily limit this counts against. */
  limitAccount?: number | undefined;
  /** The limit of `limitAccount` where it has none of its own; absent: none. */
  defaultDailyLimit?: Minor | undefined;
  /** A refusal that the caller has decided on: the posting is refused with it, and so is its reference from then on. */
  predecidedRefusal?: Refusal | undefined;
  /** What the caller was asked for, where the above does not say it: a repeated request is recognised by this instead. */
  request?: Record<string, unknown> | undefined;
}

const toText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Members sorted by name: their order is no part of what was asked for. */
const inOrder = (key: string, value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? toText(key, value)
    : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * What makes a repeated request the same request: what was asked for. Not the charges, which may have changed since, nor the
 * legs and limits that follow from them, nor what the caller has found out meanwhile.
 */
const contentOf = (posting: Posting): string => {
  const { owner, reference, partner, type, amount, currency, source, destination } = posting;
  const { externalReference, comment, metadata, original, refundsRemainder, hold, limitAccount } = posting;
  const what = {
    owner,
    reference,
    partner,
    type,
    amount,
    currency,
    source,
    destination,
    externalReference,
    comment,
    metadata,
  };
  const content = { ...what, original, refundsRemainder, hold, limitAccount };
  return JSON.stringify(posting.request ?? content, inOrder);
};

/** A posting as the JSON that `ledger.post` reads, which describes its members. */
export const toJson = (posting: Posting): string =>
  JSON.stringify({ ...posting, request: undefined, requestHash: sha256(contentOf(posting)).toString('hex') }, toText);
