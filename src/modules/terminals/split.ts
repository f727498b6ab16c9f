import { asMinor, type Minor } from '#modules/ledger';
import type { SplitStatus } from './split-status.ts';
import type { SplitRow } from './store.ts';

/** A payment request of a terminal. Amounts are minor units; paid and remaining add up to the amount, always. */
export interface Split {
  reference: string;
  amount: Minor;
  totalPaid: Minor;
  remaining: Minor;
  status: SplitStatus;
  title: string;
  description: string | undefined;
}

/**
 * The status that counts at this moment: a split whose time is over has expired, swept or not. One that is paid in part
 * does not expire.
 */
export const statusAt = ({ status, totalPaid, expiresAt }: SplitRow, now: Date): SplitStatus =>
  status === 'Pending' && totalPaid === 0n && expiresAt !== null && expiresAt <= now ? 'Expired' : status;

export const toSplit = (row: SplitRow, now: Date): Split => ({
  reference: row.reference,
  amount: asMinor(row.amount),
  totalPaid: asMinor(row.totalPaid),
  remaining: asMinor(row.amount - row.totalPaid),
  status: statusAt(row, now),
  title: row.title,
  description: row.description ?? undefined,
});
