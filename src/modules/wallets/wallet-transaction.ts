import { DomainError } from '#lib/domain-error.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import {
  asMinor,
  assertPosted,
  type Currency,
  findAsPosted,
  findFirstResult,
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
  /** What the recipient gets. */
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

/** Their charges are taken from the recipient; of all others fee and commission are paid on top. */
const chargedOnArrival = new Set<TransactionType>(['PARTNER_GATEWAY', 'PARTNER_TERMINAL', 'PARTNER_WALLET_DEBIT']);

/** Customers and applications pay these: the receiving side is shown neither the sender's own name for one nor what it cost them. */
const namedBySender = new Set<TransactionType>(['TRANSFER', 'SWITCH']);

/** What is said of the money of a transaction. Minor units. */
type ShownAmounts = Pick<WalletTransaction, 'amount' | 'fee' | 'commission' | 'net'>;

/**
 * The one rule of what is said of a transaction's money, for all types. Net is what the recipient gets, and Amount less Net what
 * is taken from the recipient: stamp duty, the charges of a rail's payment, of which Fee and Commission are parts, and the fee of
 * a debit. Otherwise Fee is what the payer pays on top. So a wallet is moved by +Net or by −(Amount + Fee). A reversal gives charges
 * back as well: of it all is said as the wallet was moved. `ledger.event_amount` and `ledger.event_fee` say the same in events.
 *
 * @param side what it did to the wallet that is read; undefined: no wallet of the reader was moved
 * @param isOwn whether it stands in the books of the partner who reads; others see only what their own wallet paid
 */
function shownAmounts(
  { type, amount, fee, commission, stampDuty }: Charged,
  side: { amount: bigint; fee: bigint } | undefined,
  isOwn: boolean,
): ShownAmounts {
  if (type === 'REVERSAL') {
    const moved = asMinor(side === undefined ? amount : side.amount < 0n ? -side.amount : side.amount);
    return { amount: moved, fee: asMinor(0n), commission: asMinor(0n), net: moved };
  }
  const isReceived = side !== undefined && side.amount > 0n;
  const taken = (type === 'PAYOUT' ? 0n : stampDuty) + (chargedOnArrival.has(type) ? fee + commission : 0n);
  const net = asMinor(amount - taken);
  const hidesFee = type === 'PARTNER_WALLET_DEBIT' || (isReceived && namedBySender.has(type));
  const paid = type === 'PAYOUT' ? fee + stampDuty : fee;
  const paidByOther = side === undefined || isReceived ? 0n : side.fee;
  return {
    amount: asMinor(amount),
    fee: asMinor(hidesFee ? 0n : isOwn ? paid : paidByOther),
    commission: asMinor(isOwn ? commission : 0n),
    net,
  };
}

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
    ...shownAmounts(transaction, entry ?? undefined, isOwn),
    id: transaction.id,
    type: transaction.type,
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
  const moved = entryOf(account);
  const charged = {
    type,
    amount,
    fee: takenAs('FEE'),
    commission: takenAs('COMMISSION'),
    stampDuty: takenAs('STAMP_DUTY'),
  };
  return {
    ...shownAmounts(charged, moved && { amount: moved.amount, fee: 0n }, true),
    ...outcomeOf(posted),
    id: posted.id,
    type,
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
  const earlier = await findFirstResult(db, request);
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
