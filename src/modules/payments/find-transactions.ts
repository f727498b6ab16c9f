import type { Executor } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import {
  ALL_PARTNERS,
  findNamed,
  listTransactions,
  type Namer,
  type TransactionFilter,
  type TransactionWithEntry,
} from '#modules/ledger';
import { partOf, toTransaction, type WalletTransaction } from '#modules/wallets';
import { ourReportReference } from './name-report.ts';
import { inboundReference } from './report-inbound.ts';

/** A transaction as the operator finds it. */
export interface FoundTransaction extends WalletTransaction {
  /** Who gave the reference. */
  namer: Namer;
  /** In whose books it is. */
  partnerId: string | undefined;
}

/** What is looked for. */
export interface TransactionQuery extends TransactionFilter {
  /**
   * As its caller gave it: for the partner or the application of the filter; of neither, what has a reference of ours, or was
   * reported as INBOUND.
   */
  reference?: string | undefined;
}

/** Whose movements have a reference of ours, which is one for all: TRF- or SWT-. */
const OUR_NAMES_FOR: readonly Namer[] = ['CUSTOMER', 'APPLICATION'];

/** What was moved, or declined, newest first: all of it that a filter asks for, or what has a reference. */
export async function findTransactions(
  db: Executor,
  { limit, offset, cursor, isUncounted, reference, ...filter }: TransactionQuery & PageRequest<number>,
): Promise<Listed<FoundTransaction, number>> {
  const page = { limit, offset, cursor, isUncounted };
  if (reference === undefined) {
    const { items, ...listed } = await listTransactions(db, filter, page);
    return { ...listed, items: items.map(toFound) };
  }
  const named = await findByReference(db, reference, filter);
  return partOf(named.filter((one) => isAsked(one, filter)).map(toFound), page);
}

const toFound = (one: TransactionWithEntry): FoundTransaction => ({
  ...toTransaction(one, one.transaction.partnerId),
  namer: one.transaction.namer,
  partnerId: one.transaction.partnerId ?? undefined,
});

/** Each reference is read by an index, those of the three namespaces together. */
async function findByReference(
  db: Executor,
  reference: string,
  { partnerId, applicationId, namer }: TransactionFilter,
): Promise<TransactionWithEntry[]> {
  const owner = partnerId ?? applicationId;
  const namers = namer && [namer];
  const ofOurs = OUR_NAMES_FOR.filter((one) => namer === undefined || one === namer);
  const named = [reference, ourReportReference(reference)];
  const found = await Promise.all([
    owner === undefined ? [] : findNamed(db, { owner, references: named, namers }),
    ...(applicationId === undefined
      ? [
          findNamed(db, {
            owner: ALL_PARTNERS,
            references: [reference, inboundReference(reference)],
            partner: partnerId,
            namers,
          }),
          findNamed(db, { references: [reference], partner: partnerId, namers: ofOurs }),
        ]
      : []),
  ]);
  return found.flat().toSorted((a, b) => b.transaction.id - a.transaction.id);
}

/** What a filter asks besides whose it is. */
const isAsked = ({ transaction }: TransactionWithEntry, filter: TransactionFilter): boolean =>
  [
    filter.type === undefined || transaction.type === filter.type,
    filter.status === undefined || transaction.status === filter.status,
    filter.currency === undefined || transaction.currency === filter.currency,
    filter.externalReference === undefined || transaction.externalReference === filter.externalReference,
    filter.amountFrom === undefined || transaction.amount >= filter.amountFrom,
    filter.amountTo === undefined || transaction.amount <= filter.amountTo,
    filter.from === undefined || transaction.createdAt >= filter.from,
    filter.to === undefined || transaction.createdAt < filter.to,
  ].every(Boolean);
