import { DomainError } from '#lib/domain-error.ts';
import type { ErrorCode } from '#lib/error-codes.ts';
import { asMinor, type Minor } from './money.ts';

/** The balances of one account before and after, in minor units; null for a deferred account. */
export interface PostedEntry {
  account: number;
  amount: Minor;
  opening: Minor | null;
  closing: Minor | null;
}

export interface Posted {
  id: number;
  /** Pending: a refund that waits until its wallet takes it. */
  status: 'Successful' | 'Pending';
  createdAt: Date;
  /** True when this reference had been posted before and no money moved now. */
  replayed: boolean;
  entries: readonly PostedEntry[];
}

/** A posting that was refused, and whose reference says so for ever. */
export interface Refused {
  id: number;
  refusal: Refusal;
}

export type Outcome = Posted | Refused;

/** A row of `ledger.post`. */
export interface OutcomeRow extends Record<string, unknown> {
  ordinal: number;
  outcome: string;
  replayed: boolean;
  transaction_id: string;
  created_at: string | Date;
  entries: { account: number; amount: string; opening: string | null; closing: string | null }[] | null;
}

const minorOrNull = (value: string | null): Minor | null => (value === null ? null : asMinor(BigInt(value)));

export function toOutcome(row: OutcomeRow): Outcome {
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

/** What a posting can be refused for, in the codes of `ledger.post` and of those who refuse before it. */
const refusals = {
  REFERENCE_REUSED: 'this reference stands for another request: give a new one',
  INSUFFICIENT_FUNDS: 'there is not enough available money',
  BALANCE_EXCEEDED: 'the balance would be more than 9999999999999.99',
  LIMIT_EXCEEDED: 'this would exceed the daily limit of the wallet',
  WALLET_BLOCKED: 'the wallet is blocked',
  WALLET_REVOKED: 'the wallet was revoked: it takes no refund',
  WALLET_PND: 'the wallet does not pay out (PND)',
  WALLET_PNC: 'the wallet takes nothing in (PNC)',
  CURRENCY_MISMATCH: 'the accounts are of another currency',
  REFUND_EXCEEDS: 'this would give back more than the original transaction',
  TRANSACTION_NOT_REFUNDABLE: 'a transaction that did not succeed cannot be refunded',
  AMOUNT_TOO_SMALL: 'the charges leave nothing of this amount',
  PAYTAG_SUSPENDED: 'this PayTag is suspended: it is paid nothing',
  TAG_NOT_PAYABLE: 'a tag that is suspended neither pays nor is paid',
  SPLIT_OVERPAYMENT: 'this is more than what remains of the split',
  SPLIT_NOT_PAYABLE: 'the split is not pending: it is paid, cancelled or expired',
} as const satisfies Partial<Record<ErrorCode, string>>;

/**
 * What `ledger.post` says of a hold that cannot be captured. Whoever holds money knows the state and the amount of the hold
 * under a lock of their own: one of these is a defect of ours, and no answer to a caller.
 */
const defects = ['HOLD_NOT_OPEN', 'HOLD_EXPIRED', 'HOLD_EXCEEDED'] as const;

type Defect = (typeof defects)[number];

/** Why a posting or a hold was refused. */
export type Refusal = keyof typeof refusals | Defect;

const known: ReadonlySet<string> = new Set([...Object.keys(refusals), ...defects]);

/** A code from SQL, checked: one that nobody foresaw is a defect of ours. */
export function toRefusal(code: string): Refusal {
  if (known.has(code)) return code as Refusal;
  throw new Error(`the ledger refused with ${code}`);
}

const isDefect = (code: Refusal): code is Defect => defects.some((defect) => defect === code);

/** The error that a refusal is thrown as: a DomainError, save for what is a defect of ours. */
export function refuse(code: Refusal): Error {
  if (isDefect(code)) return new Error(`the ledger refused with ${code}`);
  return new DomainError(code, refusals[code]);
}

/** @throws DomainError when it was refused */
export function assertPosted(outcome: Outcome): Posted {
  if ('refusal' in outcome) throw refuse(outcome.refusal);
  return outcome;
}

/** The balances of a strict account around a posting, in minor units. */
export function balancesOf(posted: Posted, account: number): { opening: Minor; closing: Minor } {
  const entry = posted.entries.find((leg) => leg.account === account);
  if (entry?.opening == null || entry.closing === null) {
    throw new Error(`transaction ${posted.id} has no entry with balances in account ${account}`);
  }
  return { opening: entry.opening, closing: entry.closing };
}
