import { sha256 } from '#lib/crypto/digest.ts';
import type { Currency, Minor } from './money.ts';

/** What a transaction is called on the wire, and our own movements that partners do not see. */
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

/** Owns the references that our own operator gives. */
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
  /** Whose names `reference` is unique among, for ever. */
  owner: string;
  reference: string;
  /** In whose book it stands. */
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
  /** With `original`: of whatever is left of it when this is posted; amount and legs say what was left when asked. */
  rest?: true | undefined;
  /** The account that keeps a refund which its wallet does not take now. */
  park?: number | undefined;
  /** The hold that this one captures. */
  hold?: number | undefined;
  /** The account whose daily limit counts this, and the limit where the account has none of its own. */
  spends?: number | undefined;
  dailyLimit?: Minor | undefined;
  /** A refusal that was decided already, and that the reference is to stand for. */
  refuse?: string | undefined;
  /** What was asked for, where the above is not it or not all of it: by this a repeated request is known for the same. */
  request?: Record<string, unknown> | undefined;
}

const toText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Members sorted by name: their order is no part of what was asked for. */
const inOrder = (key: string, value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? toText(key, value)
    : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * What makes a repeated request the same request: what was asked for. Not the charges, which may have changed since, nor
 * the legs and limits that follow from them, nor what was found out about it meanwhile.
 */
const contentOf = ({
  legs: _legs,
  fee: _fee,
  commission: _commission,
  stampDuty: _stampDuty,
  dailyLimit: _dailyLimit,
  park: _park,
  refuse: _refuse,
  request,
  ...content
}: Posting): string => JSON.stringify(request ?? content, inOrder);

/** A posting as `ledger.post` reads it. */
export const toWire = (posting: Posting): string =>
  JSON.stringify({ ...posting, request: undefined, requestHash: sha256(contentOf(posting)).toString('hex') }, toText);
