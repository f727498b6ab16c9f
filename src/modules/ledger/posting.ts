import { sha256 } from '../../lib/crypto/digest.ts';
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
  /** The account that keeps a refund which its wallet does not take now. */
  park?: number | undefined;
  /** The hold that this one captures. */
  hold?: number | undefined;
  /** The account whose daily limit counts this, and the limit where the account has none of its own. */
  spends?: number | undefined;
  dailyLimit?: Minor | undefined;
  /** A refusal that was decided already, and that the reference is to stand for. */
  refuse?: string | undefined;
}

const toText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** What makes a repeated request the same request: not the limit, nor what was found out about it meanwhile. */
const contentOf = ({ dailyLimit: _dailyLimit, refuse: _refuse, ...content }: Posting): string =>
  JSON.stringify(content, toText);

/** A posting as `ledger.post` reads it. */
export const toWire = (posting: Posting): string =>
  JSON.stringify({ ...posting, requestHash: sha256(contentOf(posting)).toString('hex') }, toText);
