import type { Executor } from '#lib/database.ts';
import { ALL_PARTNERS, findNamed, type Namer } from '#modules/ledger';
import { partOf, toTransaction, type WalletTransaction } from '#modules/wallets';
import { ourReportReference } from './name-report.ts';
import { ourReference } from './report-inbound.ts';

/** A transaction as the operator finds it. */
export interface FoundTransaction extends WalletTransaction {
  /** Who gave the reference. */
  namer: Namer;
}

/** What is looked for: a reference as its caller gave it. */
export interface TransactionQuery {
  reference: string;
  /** Of a partner, or of an application; of neither: what rails reported as INBOUND, for whichever partner. */
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  namer?: Namer | undefined;
}

/** What was moved, or declined, under a reference of the operator's, a rail's or a partner's, newest first. */
export async function findTransactions(
  db: Executor,
  {
    reference,
    partnerId,
    applicationId,
    limit,
    offset,
    ...filter
  }: TransactionQuery & { limit: number; offset: number },
): Promise<{ items: FoundTransaction[]; count: number }> {
  const owner = partnerId ?? applicationId;
  const named = [reference, ourReportReference(reference)];
  const own = owner === undefined ? [] : await findNamed(db, { owner, references: named, ...filter });
  const references = [reference, ourReference(reference)];
  const inbound =
    applicationId === undefined
      ? await findNamed(db, { owner: ALL_PARTNERS, references, partner: partnerId, ...filter })
      : [];
  const found = [...own, ...inbound].toSorted((a, b) => b.transaction.id - a.transaction.id);
  const shown = found.map((one) => ({
    ...toTransaction(one, one.transaction.partnerId),
    namer: one.transaction.namer,
  }));
  return partOf(shown, { limit, offset });
}
