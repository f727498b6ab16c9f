import type { Executor } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
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
  /** Of a partner, or of an application; of neither: what has a reference of ours, or was reported as INBOUND. */
  partnerId?: string | undefined;
  applicationId?: string | undefined;
  namer?: Namer | undefined;
}

/** Whose movements have a reference of ours, which is one for all: TRF- or SWT-. */
const OUR_NAMES_FOR: readonly Namer[] = ['CUSTOMER', 'APPLICATION'];

/** What was moved, or declined, under a reference of the operator's, a rail's, a partner's or of ours, newest first. */
export async function findTransactions(
  db: Executor,
  { reference, partnerId, applicationId, namer, ...page }: TransactionQuery & PageRequest<number>,
): Promise<Listed<FoundTransaction, number>> {
  const owner = partnerId ?? applicationId;
  const named = [reference, ourReportReference(reference)];
  const namers = namer && [namer];
  const own = owner === undefined ? [] : await findNamed(db, { owner, references: named, namers });
  const references = [reference, ourReference(reference)];
  const inbound =
    applicationId === undefined
      ? await findNamed(db, { owner: ALL_PARTNERS, references, partner: partnerId, namers })
      : [];
  const ofOurs = OUR_NAMES_FOR.filter((one) => namer === undefined || one === namer);
  const ours =
    applicationId === undefined
      ? await findNamed(db, { references: [reference], partner: partnerId, namers: ofOurs })
      : [];
  const found = [...own, ...inbound, ...ours].toSorted((a, b) => b.transaction.id - a.transaction.id);
  const shown = found.map((one) => ({
    ...toTransaction(one, one.transaction.partnerId),
    namer: one.transaction.namer,
  }));
  return partOf(shown, page);
}
