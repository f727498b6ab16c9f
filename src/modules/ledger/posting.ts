import { sha256 } from '#lib/crypto/digest.ts';
import { DomainError, type ErrorCode } from '#lib/domain-error.ts';
import { asMinor, type Currency, type Minor } from './money.ts';

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

/** Who gives a reference. References of different namers never clash; those of one namer are unique for each owner. */
export const namers = ['PARTNER', 'CUSTOMER', 'APPLICATION', 'RAIL', 'OPERATOR'] as const;

export type Namer = (typeof namers)[number];

/** The owner of what a rail reports under references that are its own for all partners. */
export const ALL_PARTNERS = '00000000-0000-0000-0000-000000000000';

/** Why money is in suspense: its account cannot be credited, or the payment is not as agreed. */
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
  /** With `original`: refunds what is left of it at the time of posting; amount and legs are what was left at the request. */
  refundsRemainder?: true | undefined;
  /** Takes the money of a refund whose wallet cannot be credited; absent: such a refund is refused. */
  suspenseAccount?: number | undefined;
  /** With `suspenseAccount`: the money has arrived, so it goes there for any reason that keeps it from its account. */
  arrived?: true | undefined;
  /** With `arrived`: the caller's own reason not to credit the destination. */
  pendingReason?: PendingReason | undefined;
  /** The hold that this one captures. */
  hold?: number | undefined;
  /** The account whose daily limit this counts against. */
  limitAccount?: number | undefined;
  /** The limit of `limitAccount` where it has none of its own; absent: none. */
  defaultDailyLimit?: Minor | undefined;
  /** The caller's own refusal: posting stores it, and the reference stays refused. */
  predecidedRefusal?: Refusal | undefined;
  /** The request in the caller's own words, without what we looked up: it identifies a repeated request. */
  request?: Record<string, unknown> | undefined;
}

/** The part of a posting that its caller gave. */
export type Request = Pick<
  Posting,
  'owner' | 'namer' | 'reference' | 'type' | 'amount' | 'externalReference' | 'comment'
> &
  Required<Pick<Posting, 'request'>>;

/** A posting as the JSON that `ledger.post` reads, which describes its members. */
export function toJson(posting: Posting, authenticate: Authenticate): string {
  const requestHash = digestOf(contentOf(posting));
  const mac = authenticate(factsOf({ ...posting, requestHash })).toString('hex');
  return JSON.stringify({ ...posting, request: undefined, requestHash, mac }, bigintToText);
}

/** A request as `ledger.answer_again` reads it: its reference and its digest. */
export const requestJson = ({ request, owner, namer, reference, ...words }: Request): string =>
  JSON.stringify(
    { owner, namer, reference, ...words, requestHash: digestOf(JSON.stringify(request, sortMembers)) },
    bigintToText,
  );

/**
 * What identifies a repeated request: the caller's input. Charges, legs, limits and looked-up accounts may have changed since,
 * so they are left out.
 */
const contentOf = (posting: Posting): string => {
  const { type, amount, currency, source, destination, externalReference, comment, metadata } = posting;
  const { original, refundsRemainder, hold, limitAccount } = posting;
  const what = { type, amount, currency, source, destination, externalReference, comment, metadata };
  return JSON.stringify(posting.request ?? { ...what, original, refundsRemainder, hold, limitAccount }, sortMembers);
};

const digestOf = (content: string): string => sha256(content).toString('hex');

const bigintToText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Members sorted by name: their order does not matter. */
const sortMembers = (key: string, value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? bigintToText(key, value)
    : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** What a MAC covers, read from the posting or from its transaction. Amounts are minor units. */
export interface PostingFacts {
  owner: string;
  namer: string;
  reference: string;
  /** Hexadecimal. */
  requestHash: string;
  partner?: string | null | undefined;
  type: string;
  currency: string;
  source: number | null;
  destination: number | null;
  amount: bigint;
  /** The amount of a refund of the remainder is known only when it is posted. */
  refundsRemainder?: true | undefined;
  fee?: bigint | undefined;
  commission?: bigint | undefined;
  stampDuty?: bigint | undefined;
  externalReference?: string | null | undefined;
  comment?: string | null | undefined;
  original?: number | null | undefined;
}

/** The text that is authenticated. */
export function factsOf(facts: PostingFacts): string {
  const { owner, namer, reference, requestHash, partner = null, type, currency, source, destination } = facts;
  const {
    fee = 0n,
    commission = 0n,
    stampDuty = 0n,
    externalReference = null,
    comment = null,
    original = null,
  } = facts;
  const amount = facts.refundsRemainder === true ? null : String(facts.amount);
  const names = [owner, namer, reference, requestHash, partner, type, currency];
  const money = [source, destination, amount, String(fee), String(commission), String(stampDuty)];
  return JSON.stringify([...names, ...money, externalReference, comment, original]);
}

/**
 * A message authentication code under a key that the database lacks: a writer with access to the tables alone cannot forge one,
 * so the check of the books finds a posting that no operation made.
 */
export type Authenticate = (facts: string) => Buffer;

/** The purpose for which its key is derived. */
export const POSTING_PURPOSE = 'ledger.posting';

/** Why the functions of the ledger refuse a posting or a hold, or the caller does before them. */
const refusals = {
  REFERENCE_REUSED: 'this reference stands for another request: give a new one',
  INSUFFICIENT_FUNDS: 'there is not enough available money',
  BALANCE_EXCEEDED: 'the balance would be more than 9999999999999.99',
  LIMIT_EXCEEDED: 'this would exceed the daily limit of the wallet',
  WALLET_BLOCKED: 'the wallet is blocked',
  WALLET_REVOKED: 'the wallet was revoked: it takes no refund',
  WALLET_PND: 'the wallet cannot be debited (PND)',
  WALLET_PNC: 'the wallet cannot be credited (PNC)',
  CURRENCY_MISMATCH: 'the accounts are of another currency',
  REFUND_EXCEEDS: 'this would give back more than the original transaction',
  TRANSACTION_NOT_REFUNDABLE: 'this transaction cannot be refunded: it did not succeed, or its type takes no refund',
  TRANSACTION_NOT_REVERSIBLE: 'only what moved money, and was neither refunded nor reversed, can be reversed',
  AMOUNT_TOO_SMALL: 'this amount is too small: its charges leave nothing of it, or the rail carries only more',
  PAYTAG_SUSPENDED: 'this PayTag is suspended: it is paid nothing',
  TAG_NOT_PAYABLE: 'a tag that is suspended neither pays nor is paid',
  SPLIT_OVERPAYMENT: 'this is more than what remains of the split',
  SPLIT_NOT_PAYABLE: 'the split is not pending: it is paid, cancelled or expired',
} as const satisfies Partial<Record<ErrorCode, string>>;

/**
 * What `ledger.post` answers for an account or a hold that does not exist, or a hold that cannot be captured. Operations check
 * both under a lock first, so each of these is a defect of ours and no answer to a caller.
 */
const defects = ['ACCOUNT_NOT_FOUND', 'HOLD_NOT_FOUND', 'HOLD_NOT_OPEN', 'HOLD_EXPIRED', 'HOLD_EXCEEDED'] as const;

type Defect = (typeof defects)[number];

/** Why a posting or a hold was refused. */
export type Refusal = keyof typeof refusals | Defect;

const known: ReadonlySet<string> = new Set([...Object.keys(refusals), ...defects]);

/** A refusal from SQL or from a row. @throws Error for an unknown code: a defect */
export function toRefusal(code: string): Refusal {
  if (known.has(code)) return code as Refusal;
  throw new Error(`the ledger refused with ${code}`);
}

const isDefect = (code: Refusal): code is Defect => defects.some((defect) => defect === code);

/** The error to throw for a refusal: a DomainError, except for a defect of ours. */
export function refusalError(code: Refusal): Error {
  if (isDefect(code)) return new Error(`the ledger refused with ${code}`);
  return new DomainError(code, refusals[code]);
}

/** What a posting did to one account, in minor units; a deferred account has no balances. */
export interface PostedEntry {
  account: number;
  amount: Minor;
  opening: Minor | null;
  closing: Minor | null;
}

/** A posting that moved money. */
export interface Posted {
  /** The transaction's. */
  id: number;
  /** Pending: the money is in suspense until its account can be credited. */
  status: 'Successful' | 'Pending';
  createdAt: Date;
  /** True when this reference was posted before, so no money moved now. */
  replayed: boolean;
  entries: readonly PostedEntry[];
}

/** A posting that was refused: its reference is refused for ever. */
export interface Refused {
  id: number;
  refusal: Refusal;
}

export type PostingResult = Posted | Refused;

/** A row of `ledger.post`. */
export interface PostingRow extends Record<string, unknown> {
  ordinal: number;
  outcome: string;
  replayed: boolean;
  transaction_id: string;
  created_at: string | Date;
  entries: { account: number; amount: string; opening: string | null; closing: string | null }[] | null;
}

const minorOrNull = (value: string | null): Minor | null => (value === null ? null : asMinor(BigInt(value)));

/** @throws Error for an unknown refusal */
export function toPostingResult(row: PostingRow): PostingResult {
  const id = Number(row.transaction_id);
  const { outcome: status } = row;
  if (status !== 'Successful' && status !== 'Pending') return { id, refusal: toRefusal(status) };
  return {
    id,
    status,
    createdAt: new Date(row.created_at),
    replayed: row.replayed,
    entries: (row.entries ?? []).map((entry) => ({
      account: entry.account,
      amount: asMinor(BigInt(entry.amount)),
      opening: minorOrNull(entry.opening),
      closing: minorOrNull(entry.closing),
    })),
  };
}

/** @throws DomainError with the code of the refusal when it was refused */
export function assertPosted(result: PostingResult): Posted {
  if ('refusal' in result) throw refusalError(result.refusal);
  return result;
}

/** The balances of a strict account before and after a posting, in minor units. */
export function balancesOf(posted: Posted, account: number): { opening: Minor; closing: Minor } {
  const entry = posted.entries.find((leg) => leg.account === account);
  if (entry?.opening == null || entry.closing === null) {
    throw new Error(`transaction ${posted.id} has no entry with balances in account ${account}`);
  }
  return { opening: entry.opening, closing: entry.closing };
}
