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
import { ourReportReference, type Sender } from './receive-money.ts';
import { inboundReference } from './report-payment.ts';
import { selectReports, selectSenders } from './store.ts';

/** A transaction as the operator finds it. */
export interface FoundTransaction extends WalletTransaction {
  /** Who gave the reference. */
  namer: Namer;
  /** The partner in whose books it is. */
  partnerId: string | undefined;
}

export interface TransactionQuery extends TransactionFilter {
  /** The caller's or the rail's reference, or ours. */
  reference?: string | undefined;
  /**
   * The reference of a wallet: its movements, and with the status `Failed` or `Pending` the transactions that it was to pay or
   * receive.
   */
  wallet?: string | undefined;
}

/** Transactions, declined ones included, newest first: by a filter, or by a reference. */
export async function findTransactions(
  db: Executor,
  { limit, offset, cursor, isUncounted, reference, wallet, ...filter }: TransactionQuery & PageRequest<number>,
): Promise<Listed<FoundTransaction, number>> {
  const page = { limit, offset, cursor, isUncounted };
  const account = wallet === undefined ? undefined : await findWalletAccount(db, wallet);
  if (wallet !== undefined && account === undefined) return NOTHING;
  if (reference !== undefined) {
    const named = await findByReference(db, reference, filter);
    return partOf(named.filter((one) => matchesFilter(one, filter, account?.id)).map(toFound), page);
  }
  const isMoved = account !== undefined && filter.status !== 'Failed' && filter.status !== 'Pending';
  const { items, ...listed } = isMoved
    ? await listMovements(db, account, filter, page)
    : await listTransactions(db, filter, page, account?.id);
  return { ...listed, items: items.map(toFound) };
}

/** The namers whose movements have a reference of ours, TRF- or SWT-, unique for all owners. */
const OUR_NAMES_FOR: readonly Namer[] = ['CUSTOMER', 'APPLICATION'];

const NOTHING = { items: [], count: 0, countIsExact: true, next: undefined };

/** The movements of any partner's wallet, newest first, with the balances before and after. @throws DomainError WALLET_NOT_FOUND */
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

/** A transaction for the operator. */
export const toFound = (one: TransactionWithEntry): FoundTransaction => ({
  ...toTransaction(one, one.transaction.partnerId),
  namer: one.transaction.namer,
  partnerId: one.transaction.partnerId ?? undefined,
});

/**
 * The transactions of a reference, newest first: of a partner, an application, or all of them. Each read uses an index.
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

/** Whether a transaction matches the filter, apart from its owner. */
const matchesFilter = ({ transaction }: TransactionWithEntry, filter: TransactionFilter, wallet?: number): boolean =>
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

/** The rail's report of a payment: the sender, and the terminal and split it paid for. */
export interface ReportedBy {
  sender: Sender;
  terminal: string | undefined;
  split: string | undefined;
}

/** The rails' reports by transaction; transactions without a report are left out. */
export async function findReports(
  db: Executor,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, ReportedBy>> {
  if (transactionIds.length === 0) return new Map();
  const found = await selectReports(db, { transactionIds });
  return new Map(
    found.map(({ payment, terminal, split }) => {
      const { senderName, senderPaytag, senderType } = payment;
      const sender = {
        name: senderName ?? undefined,
        paytag: senderPaytag ?? undefined,
        type: senderType ?? undefined,
      };
      return [payment.transactionId, { sender, terminal: terminal ?? undefined, split: split ?? undefined }];
    }),
  );
}

/** The senders' names by transaction; transactions without a report are left out. */
export async function findSenders(
  db: Executor,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (transactionIds.length === 0) return new Map();
  const found = await selectSenders(db, { transactionIds });
  return new Map(
    found.flatMap(({ transactionId, senderName, senderPaytag }) => {
      const sender = senderName ?? senderPaytag;
      return sender === null ? [] : [[transactionId, sender] as const];
    }),
  );
}
