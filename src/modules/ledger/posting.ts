import { sha256 } from '#lib/crypto/digest.ts';
import type { Currency, Minor } from './money.ts';
import { type Authenticate, factsOf } from './posting-mac.ts';
import type { Refusal } from './refusals.ts';

/** The types that partners see, and after them our own movements, which no partner sees. */
export type TransactionType =
  | 'PARTNER_WALLET_CREDIT'
  | 'PARTNER_WALLET_DEBIT'
  | 'PARTNER_REFUND'
  | 'REVERSAL'
  | 'PARTNER_GATEWAY'
  | 'PARTNER_TERMINAL'
  | 'TRANSFER'
  | 'INBOUND'
  | 'PAYOUT'
  | 'PAYOUT_CORRECTION'
  | 'FLOAT_FUNDING'
  | 'FLOAT_SETTLEMENT'
  | 'APPLICATION_FUNDING'
  | 'APPLICATION_SETTLEMENT'
  | 'REMITTANCE'
  | 'ADJUSTMENT'
  | 'SWITCH';

/** Who gives a reference. The references of one are unique for each owner, and never meet those of another. */
export const namers = ['PARTNER', 'CUSTOMER', 'APPLICATION', 'RAIL', 'OPERATOR'] as const;
export type Namer = (typeof namers)[number];

/** The owner of what a rail reports under references that are its own for all partners. */
export const ALL_PARTNERS = '00000000-0000-0000-0000-000000000000';

/** Why money waits in suspense: its account takes nothing in, or it is not what was to be paid. */
export type PendingReason = Extract<
  Refusal,
  | 'WALLET_BLOCKED'
  | 'WALLET_PNC'
  | 'WALLET_REVOKED'
  | 'CURRENCY_MISMATCH'
  | 'BALANCE_EXCEEDED'
  | 'SPLIT_OVERPAYMENT'
  | 'SPLIT_NOT_PAYABLE'
>;

export interface Leg {
  account: number;
  /** Signed, the fee included. */
  amount: Minor;
  /** The part of the amount that is a fee, unsigned. */
  fee?: Minor | undefined;
}

/** A movement of money: legs that sum to zero, each account named once. Amounts are minor units. */
export interface Posting {
  /** `reference` is unique for ever among those that this namer gave for this owner. */
  owner: string;
  namer: Namer;
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
  /** The transaction that this one refunds or reverses. */
  original?: number | undefined;
  /** With `original`: the legs undo every entry of it, once and whole. */
  reverses?: true | undefined;
  /** With `original`: refunds whatever is left of it at the time of posting; amount and legs say what was left when asked. */
  refundsRemainder?: true | undefined;
  /** Where the money of a refund waits while its wallet takes nothing in; absent: such a refund is refused. */
  suspenseAccount?: number | undefined;
  /** With `suspenseAccount`: the money has arrived, and waits there whatever keeps it from its account. */
  arrived?: true | undefined;
  /** With `arrived`: why the destination may not have it, as the caller has found. */
  pendingReason?: PendingReason | undefined;
  /** The hold that this one captures. */
  hold?: number | undefined;
  /** The account whose daily limit this counts against. */
  limitAccount?: number | undefined;
  /** The limit of `limitAccount` where it has none of its own; absent: none. */
  defaultDailyLimit?: Minor | undefined;
  /** A refusal that the caller has decided on: the posting is refused with it, and so is its reference from then on. */
  predecidedRefusal?: Refusal | undefined;
  /** What was asked for, in the caller's own words, without what we found for them: a repeated request is recognised by this. */
  request?: Record<string, unknown> | undefined;
}

/** What of a posting its caller gave. */
export type Request = Pick<
  Posting,
  'owner' | 'namer' | 'reference' | 'type' | 'amount' | 'externalReference' | 'comment'
> &
  Required<Pick<Posting, 'request'>>;

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
  const { type, amount, currency, source, destination, externalReference, comment, metadata } = posting;
  const { original, refundsRemainder, hold, limitAccount } = posting;
  const what = { type, amount, currency, source, destination, externalReference, comment, metadata };
  return JSON.stringify(posting.request ?? { ...what, original, refundsRemainder, hold, limitAccount }, inOrder);
};

/** A request as `ledger.answer_again` reads it: whose reference it is, and what it asks for. */
export const requestJson = ({ request, owner, namer, reference, ...words }: Request): string =>
  JSON.stringify(
    { owner, namer, reference, ...words, requestHash: digestOf(JSON.stringify(request, inOrder)) },
    toText,
  );

const digestOf = (content: string): string => sha256(content).toString('hex');

/** A posting as the JSON that `ledger.post` reads, which describes its members. */
export function toJson(posting: Posting, authenticate: Authenticate): string {
  const requestHash = digestOf(contentOf(posting));
  const mac = authenticate(factsOf({ ...posting, requestHash })).toString('hex');
  return JSON.stringify({ ...posting, request: undefined, requestHash, mac }, toText);
}
