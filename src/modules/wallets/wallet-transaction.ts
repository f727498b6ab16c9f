import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import {
  answerAgain,
  asMinor,
  assertPosted,
  type Currency,
  findAsPosted,
  findPartnerTransaction,
  type Minor,
  type PendingReason,
  type Posted,
  type Posting,
  type Request,
  systemAccount,
  type TransactionType,
  type TransactionWithEntry,
} from '#modules/ledger';

/** A transaction as a partner or a customer sees it. Amounts are minor units. */
export interface WalletTransaction {
  id: number;
  type: TransactionType;
  amount: Minor;
  fee: Minor;
  commission: Minor;
  /** What reached its destination. */
  net: Minor;
  currency: Currency;
  /** Pending: its money waits in suspense, or of a payout, is held until it is known that it left. Reversed: refunded in full, or reversed. */
  status: 'Pending' | 'Successful' | 'Failed' | 'Reversed';
  /** While it is Pending: what keeps the money from where it is to go. */
  pendingReason?: PendingReason | undefined;
  reference: string;
  externalReference?: string | undefined;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** The code of the refusal that it was declined with, or why a payout failed. */
  failureReason?: string | undefined;
  /** The wallet's balance before and after; absent where no wallet of the reader was moved. */
  openingBalance?: Minor | undefined;
  closingBalance?: Minor | undefined;
  createdAt: Date;
  completedAt?: Date | undefined;
}

interface Named {
  partnerId: string;
  reference: string;
}

/** What a posting says of itself, and its transaction repeats. */
type Described = Pick<
  Posting,
  'type' | 'amount' | 'currency' | 'reference' | 'externalReference' | 'comment' | 'metadata'
>;

interface Charged {
  type: TransactionType;
  amount: bigint;
  fee: bigint;
  commission: bigint;
  stampDuty: bigint;
}

/** These bear their charges out of what arrives; for all others whoever pays bears them on top. */
const chargedOnArrival = new Set<TransactionType>(['PARTNER_GATEWAY', 'PARTNER_TERMINAL']);

/** Of these the external reference is the sender's own name for what they pay, which the receiving side is not shown. */
const namedBySender = new Set<TransactionType>(['TRANSFER', 'SWITCH']);

/** Of these the whole amount arrives: a reversal gives everything back, and a payout's wallet bears all charges on top. */
const arrivesWhole = new Set<TransactionType>(['REVERSAL', 'PAYOUT']);

const netOf = ({ type, amount, fee, commission, stampDuty }: Charged): Minor =>
  arrivesWhole.has(type)
    ? asMinor(amount)
    : asMinor(amount - stampDuty - (chargedOnArrival.has(type) ? fee + commission : 0n));

/** What whoever pays is charged: stamp duty too, where it is not taken from what arrives. */
const feeOf = ({ type, fee, stampDuty }: Charged): bigint => (type === 'PAYOUT' ? fee + stampDuty : fee);

/** Of a posting in two steps readers see whether its money may still move. */
const shownStatus = {
  Pending: 'Pending',
  Successful: 'Successful',
  Failed: 'Failed',
  Reversed: 'Reversed',
  Held: 'Pending',
  Voided: 'Failed',
} as const satisfies Record<TransactionWithEntry['transaction']['status'], WalletTransaction['status']>;

const minorOrNone = (amount: bigint | null | undefined): Minor | undefined =>
  amount == null ? undefined : asMinor(amount);

/**
 * A stored transaction, seen through what it did to a wallet.
 *
 * @param readerPartnerId absent for a customer; the operator reads as the partner does. Only the partner whose books it belongs to sees what others were charged.
 */
export function toTransaction(
  { transaction, entry }: TransactionWithEntry,
  readerPartnerId?: string | null,
): WalletTransaction {
  const isOwn = transaction.partnerId === readerPartnerId;
  const isReceived = entry !== null && entry.amount > 0n;
  const isHidden = isReceived && namedBySender.has(transaction.type);
  return {
    id: transaction.id,
    type: transaction.type,
    amount: asMinor(transaction.amount),
    fee: asMinor(isOwn ? feeOf(transaction) : (entry?.fee ?? 0n)),
    commission: asMinor(isOwn ? transaction.commission : 0n),
    net: netOf(transaction),
    currency: transaction.currency,
    status: shownStatus[transaction.status],
    pendingReason: transaction.status === 'Pending' ? (transaction.pendingReason ?? undefined) : undefined,
    reference: transaction.reference,
    externalReference: isHidden ? undefined : (transaction.externalReference ?? undefined),
    comment: transaction.comment ?? undefined,
    metadata: transaction.metadata ?? undefined,
    openingBalance: minorOrNone(entry?.opening),
    closingBalance: minorOrNone(entry?.closing),
    failureReason: transaction.code ?? transaction.voidReason ?? undefined,
    createdAt: entry?.createdAt ?? transaction.createdAt,
    completedAt: transaction.completedAt === null ? undefined : (entry?.createdAt ?? transaction.completedAt),
  };
}

/**
 * The transaction that a posting became, without reading it again: with the charges that were taken when it was posted,
 * whatever they are now.
 *
 * @param account the wallet's account whose balances are shown; absent, or not moved: none are
 */
export function transactionOf(posted: Posted, described: Described, account?: number): WalletTransaction {
  const { type, amount, currency, reference, externalReference, comment, metadata } = described;
  const entryOf = (id: number | undefined) => posted.entries.find((entry) => entry.account === id);
  const takenAs = (kind: 'FEE' | 'COMMISSION' | 'STAMP_DUTY') =>
    entryOf(systemAccount(kind, currency))?.amount ?? asMinor(0n);
  const [fee, commission] = [takenAs('FEE'), takenAs('COMMISSION')];
  const moved = entryOf(account);
  return {
    ...outcomeOf(posted),
    id: posted.id,
    type,
    amount,
    fee,
    commission,
    net: netOf({ type, amount, fee, commission, stampDuty: takenAs('STAMP_DUTY') }),
    currency,
    reference,
    externalReference,
    comment,
    metadata,
    openingBalance: minorOrNone(moved?.opening),
    closingBalance: minorOrNone(moved?.closing),
  };
}

/** What a posting answered of its outcome. */
const outcomeOf = ({ status, createdAt }: Posted) => ({
  status,
  createdAt,
  completedAt: status === 'Pending' ? undefined : createdAt,
});

/**
 * The transaction that a posting became, as it was answered the first time, from what is stored of it: whatever has become of
 * it, of its wallets and of its charges since.
 */
export async function readAsPosted(db: Executor, partnerId: string, posted: Posted): Promise<WalletTransaction> {
  const found = await findAsPosted(db, { partner: partnerId, posted });
  const pendingReason = posted.status === 'Pending' ? (found.transaction.pendingReason ?? undefined) : undefined;
  return { ...toTransaction(found, partnerId), ...outcomeOf(posted), pendingReason, failureReason: undefined };
}

/**
 * What a request answered the first time, when those it speaks of cannot be found now.
 *
 * @throws DomainError `notFound` when its reference was never used; REFERENCE_REUSED; or what it was declined with
 */
export async function answerAsBefore(
  db: Executor,
  partnerId: string,
  request: Request,
  notFound: DomainError,
): Promise<WalletTransaction> {
  const earlier = await answerAgain(db, request);
  if (earlier === undefined) throw notFound;
  return readAsPosted(db, partnerId, assertPosted(earlier));
}

/**
 * A transaction of a partner: one by the reference that the partner gave, or one of ours that moved a wallet of the partner.
 *
 * @throws DomainError TRANSACTION_NOT_FOUND, also for another partner's
 */
export async function getTransaction(db: Executor, named: Named): Promise<WalletTransaction> {
  return toTransaction(await requireTransaction(db, named), named.partnerId);
}

/** @throws DomainError TRANSACTION_NOT_FOUND */
export async function requireTransaction(db: Executor, { partnerId, reference }: Named): Promise<TransactionWithEntry> {
  const found = await findPartnerTransaction(db, { partner: partnerId, reference });
  if (found === undefined) throw new DomainError('TRANSACTION_NOT_FOUND', 'there is no such transaction');
  return found;
}
