import { sql } from 'drizzle-orm';
import { sha256 } from '../../lib/crypto/digest.ts';
import type { Executor } from '../../lib/database.ts';
import { refuse } from './errors.ts';
import { asMinor, type Currency, type Minor } from './money.ts';

/** What a transaction is called on the wire, and our own movements that partners do not see. */
export type TransactionType = 'PARTNER_WALLET_CREDIT' | 'PARTNER_WALLET_DEBIT' | 'FLOAT_FUNDING';

/** Owns the references that our own operator gives. */
export const OPERATOR = '00000000-0000-0000-0000-000000000000';

export interface Leg {
  account: number;
  /** Signed, minor units. */
  amount: bigint;
}

/** A movement of money: legs that sum to zero, each account named once. */
export interface Posting {
  /** Whose names `reference` is unique among, for ever. */
  owner: string;
  reference: string;
  partner?: string;
  type: TransactionType;
  /** The principal, unsigned. */
  amount: Minor;
  currency: Currency;
  externalReference?: string | undefined;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  legs: readonly Leg[];
}

/** The balances of one account before and after, in minor units; null for a deferred account. */
export interface PostedEntry {
  account: number;
  amount: Minor;
  opening: Minor | null;
  closing: Minor | null;
}

export interface Posted {
  id: number;
  createdAt: Date;
  /** True when this reference had been posted before and no money moved now. */
  replayed: boolean;
  entries: readonly PostedEntry[];
}

interface PostRow extends Record<string, unknown> {
  outcome: string;
  replayed: boolean;
  transaction_id: string;
  created_at: string | Date;
  entries: { account: number; amount: number; opening: number | null; closing: number | null }[] | null;
}

const toText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
const minorOrNull = (value: number | null): Minor | null => (value === null ? null : asMinor(BigInt(value)));

/**
 * Moves money in one round trip: reference, status and floor rules, entries, balances and the events of every
 * movement, all or nothing. The same reference with the same content answers as it did the first time.
 *
 * @throws DomainError REFERENCE_REUSED, INSUFFICIENT_FUNDS, WALLET_BLOCKED, WALLET_PND, WALLET_PNC, CURRENCY_MISMATCH.
 *   Called outside a transaction, a refusal has left its reference behind: it stays refused.
 */
export async function post(db: Executor, posting: Posting): Promise<Posted> {
  const content = JSON.stringify(posting, toText);
  const postings = `[${JSON.stringify({ ...posting, requestHash: sha256(content).toString('hex') }, toText)}]`;
  const { rows } = await db.execute<PostRow>(sql`select * from ledger.post(${postings}::jsonb)`);
  const [row] = rows;
  if (row === undefined) throw new Error('ledger.post gave no outcome');
  if (row.outcome !== 'Successful') throw refuse(row.outcome);
  return {
    id: Number(row.transaction_id),
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

/** The balances of a strict account around a posting, in minor units. */
export function balancesOf(posted: Posted, account: number): { opening: Minor; closing: Minor } {
  const entry = posted.entries.find((leg) => leg.account === account);
  if (entry?.opening == null || entry.closing === null) {
    throw new Error(`transaction ${posted.id} has no entry with balances in account ${account}`);
  }
  return { opening: entry.opening, closing: entry.closing };
}
