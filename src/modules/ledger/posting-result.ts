import { asMinor, type Minor } from './money.ts';
import { type Refusal, refusalError, toRefusal } from './refusals.ts';

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
  /** Pending: its money waits in a suspense account until its account takes it. */
  status: 'Successful' | 'Pending';
  createdAt: Date;
  /** True when this reference had been posted before and no money moved now. */
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

/** @throws Error for a refusal that is not among ours */
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
