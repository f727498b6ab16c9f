import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import {
  ALL_PARTNERS,
  findNamed,
  findNamedByPartners,
  findWalletAccount,
  isShownAs,
  listMovements,
  listTransactions,
  type Namer,
  type TransactionFilter,
  type TransactionWithEntry,
} from '#modules/ledger';
import { accountOfWallet, partOf, toTransaction, type WalletTransaction } from '#modules/wallets';
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
  /** As whoever moved the money gave it, or as we wrote it down. */
  reference?: string | undefined;
  /**
   * The reference of a wallet: what moved it, and where `status` is `Failed` or `Pending`, what was refused or waits that it was
   * to pay or to be paid by.
   */
  wallet?: string | undefined;
}

/** Whose movements have a reference of ours, which is one for all: TRF- or SWT-. */
const OUR_NAMES_FOR: readonly Namer[] = ['CUSTOMER', 'APPLICATION'];

const NOTHING = { items: [], count: 0, countIsExact: true, next: undefined };

/** What was moved, or declined, newest first: all of it that a filter asks for, or what has a reference. */
export async function findTransactions(
  db: Executor,
  { limit, offset, cursor, isUncounted, reference, wallet, ...filter }: TransactionQuery & PageRequest<number>,
): Promise<Listed<FoundTransaction, number>> {
  const page = { limit, offset, cursor, isUncounted };
  const account = wallet === undefined ? undefined : await findWalletAccount(db, wallet);
  if (wallet !== undefined && account === undefined) return NOTHING;
  if (reference !== undefined) {
    const named = await findByReference(db, reference, filter);
    return partOf(named.filter((one) => isAsked(one, filter, account?.id)).map(toFound), page);
  }
  const isMoved = account !== undefined && filter.status !== 'Failed' && filter.status !== 'Pending';
  const { items, ...listed } = isMoved
    ? await listMovements(db, account, filter, page)
    : await listTransactions(db, filter, page, account?.id);
  return { ...listed, items: items.map(toFound) };
}

/** What moved a wallet of any partner, newest first, with its balance before and after. @throws DomainError WALLET_NOT_FOUND */
export async function findWalletHistory(
  db: Executor,
  {
    limit,
    offset,
    cursor,
    isUncounted,
    wallet,
    ...filter
  }: TransactionFilter & { wallet: string } & PageRequest<number>,
): Promise<Listed<FoundTransaction, number>> {
  const account = await accountOfWallet(db, wallet);
  const { items, ...listed } = await listMovements(db, account, filter, { limit, offset, cursor, isUncounted });
  return { ...listed, items: items.map(toFound) };
}

/** A transaction as the operator is shown it. */
export const toFound = (one: TransactionWithEntry): FoundTransaction => ({
  ...toTransaction(one, one.transaction.partnerId),
  namer: one.transaction.namer,
  partnerId: one.transaction.partnerId ?? undefined,
});

/**
 * The transactions of a reference, newest first: for a partner or an application, or for whomever. Each is read by an index,
 * those of the namespaces together.
 */
export async function findByReference(
  db: Executor,
  reference: string,
  { partnerId, applicationId, namer }: Pick<TransactionFilter, 'partnerId' | 'applicationId' | 'namer'>,
): Promise<TransactionWithEntry[]> {
  const namers = namer && [namer];
  const [reported, arrived] = [ourReportReference(reference), inboundReference(reference)];
  const owner = partnerId ?? applicationId;
  const found =
    owner === undefined
      ? await Promise.all([
          namer === undefined || namer === 'PARTNER' ? findNamedByPartners(db, reference) : [],
          findNamed(db, { references: [reference, reported, arrived], namers }),
        ])
      : await Promise.all([
          findNamed(db, { owner, references: [reference, reported], namers }),
          ...(partnerId === undefined
            ? []
            : [
                findNamed(db, { owner: ALL_PARTNERS, references: [reference, arrived], partner: partnerId, namers }),
                findNamed(db, {
                  references: [reference],
                  partner: partnerId,
                  namers: OUR_NAMES_FOR.filter((one) => namer === undefined || one === namer),
                }),
              ]),
        ]);
  return found.flat().toSorted((a, b) => b.transaction.id - a.transaction.id);
}

/** What a filter asks besides whose it is. */
const isAsked = ({ transaction }: TransactionWithEntry, filter: TransactionFilter, wallet?: number): boolean =>
  [
    filter.type === undefined || transaction.type === filter.type,
    filter.status === undefined || isShownAs(transaction, filter.status),
    filter.failureReason === undefined || [transaction.code, transaction.voidReason].includes(filter.failureReason),
    filter.currency === undefined || transaction.currency === filter.currency,
    filter.externalReference === undefined || transaction.externalReference === filter.externalReference,
    filter.amountFrom === undefined || transaction.amount >= filter.amountFrom,
    filter.amountTo === undefined || transaction.amount <= filter.amountTo,
    filter.from === undefined || transaction.createdAt >= filter.from,
    filter.to === undefined || transaction.createdAt < filter.to,
    wallet === undefined || [transaction.sourceId, transaction.destinationId].includes(wallet),
  ].every(Boolean);
