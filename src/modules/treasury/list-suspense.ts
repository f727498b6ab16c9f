import type { Database } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { findReports, type ReportedBy } from '#modules/collections';
import {
  type Currency,
  listPending,
  type Minor,
  type PendingFilter,
  type PendingReason,
  type TransactionType,
} from '#modules/ledger';

/** Money that waits in suspense. */
export interface Waiting {
  /** The transaction's. */
  id: number;
  type: TransactionType;
  reference: string;
  externalReference: string | undefined;
  comment: string | undefined;
  partnerId: string | undefined;
  /** What waits, minor units: what was paid, less the charges. */
  amount: Minor;
  currency: Currency;
  reason: PendingReason;
  since: Date;
  /** The wallet or float that it is meant for. */
  destination: { kind: string; reference: string };
  /** What a rail reported of it. */
  report: ReportedBy | undefined;
}

/** What waits in suspense, of all partners or one, for any reason or one, the oldest first. `count` is of all that match. */
export async function listSuspense(
  { db }: { db: Database },
  filter: PendingFilter & PageRequest<number>,
): Promise<Listed<Waiting, number>> {
  const { items, ...found } = await listPending(db, filter);
  const reports = await findReports(
    db,
    items.map(({ transaction }) => transaction.id),
  );
  return {
    ...found,
    items: items.map(({ transaction, amount, reason, destination }) => ({
      id: transaction.id,
      type: transaction.type,
      reference: transaction.reference,
      externalReference: transaction.externalReference ?? undefined,
      comment: transaction.comment ?? undefined,
      partnerId: transaction.partnerId ?? undefined,
      amount,
      currency: transaction.currency,
      reason,
      since: transaction.createdAt,
      destination,
      report: reports.get(transaction.id),
    })),
  };
}
