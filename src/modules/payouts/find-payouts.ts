import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { TransactionType } from '#modules/ledger';
import { openPayoutAccount, type PayoutAccount } from './payout-account.ts';
import type { PayoutState } from './payout-state.ts';
import {
  type PayoutFilter,
  type PayoutParts,
  type PayoutRow,
  selectById,
  selectByTransaction,
  selectCorrected,
  selectMatching,
  selectOldestUnknown,
  selectPayees,
  selectSentBetween,
  selectWithCorrection,
} from './store.ts';

/** A payout as the operator sees it. Amounts are minor units of naira. */
export interface PayoutView extends Pick<PayoutAccount, 'bankCode' | 'bankName'> {
  id: string;
  /** Undefined where the stored payout was altered. */
  accountNumber: string | undefined;
  accountName: string | undefined;
  /** The transaction's, as the partner or we gave it. */
  reference: string;
  externalReference: string | undefined;
  partnerId: string;
  /** The reference of the wallet. */
  wallet: string;
  amount: bigint;
  /** Fee and stamp duty, which the wallet pays on top. */
  charges: bigint;
  state: PayoutState;
  provider: string;
  /** Ours at the provider. */
  providerReference: string;
  providerId: string | undefined;
  attempts: number;
  /** The next poll; undefined: none. */
  dueAt: Date | undefined;
  failureReason: string | undefined;
  failureDetail: string | undefined;
  /** A status that contradicts the provider's earlier one. */
  contradiction: NonNullable<PayoutRow['contradiction']> | undefined;
  /** For a failed payout that was paid all the same: the transaction that booked it. */
  correctionId: number | undefined;
  createdAt: Date;
  sentAt: Date | undefined;
  endedAt: Date | undefined;
  reversedAt: Date | undefined;
}

/** The error for a payout that does not exist. */
export const payoutNotFound = (): DomainError => new DomainError('PAYOUT_NOT_FOUND', 'there is no such payout');

interface Opening {
  keyring: Keyring;
  securityLog: SecurityLog;
}

/** The account of a payout; undefined, with a security event, where its row was altered. */
function accountIfSound(
  { keyring, securityLog }: Opening,
  row: Parameters<typeof openPayoutAccount>[1],
): PayoutAccount | undefined {
  try {
    return openPayoutAccount(keyring, row);
  } catch (error) {
    if (!(error instanceof AlteredRecord)) throw error;
    securityLog.record('stored_record_altered', { record: error.record });
    return undefined;
  }
}

/** A payout of any partner. @throws DomainError PAYOUT_NOT_FOUND */
export async function getPayout(deps: Opening & { db: Database }, id: string): Promise<PayoutView> {
  const found = await selectById(deps.db, { id });
  if (found === undefined) throw payoutNotFound();
  return toView(deps, found);
}

/** The payout of a transaction, if it is one. */
export async function findPayoutOf(
  db: Executor,
  opening: Opening,
  transactionId: number,
): Promise<PayoutView | undefined> {
  const found = await selectByTransaction(db, { id: transactionId });
  return found && toView(opening, found);
}

/**
 * The payees by transaction, for payouts, their corrections and the reversals of both. Other transactions are left out, and so
 * are altered payouts, with a security event.
 */
export async function findPayees(
  db: Executor,
  opening: Opening,
  transactions: readonly { id: number; type: TransactionType }[],
): Promise<ReadonlyMap<number, PayoutAccount>> {
  const ids = transactions.filter(({ type }) => PAID_OUT.has(type)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await selectPayees(db, [ids]);
  return new Map(
    found.flatMap(({ transactionId, amount, ...row }): [number, PayoutAccount][] => {
      const account = accountIfSound(opening, { ...row, amount: BigInt(amount) });
      return account === undefined ? [] : [[Number(transactionId), account]];
    }),
  );
}

const PAID_OUT = new Set<TransactionType>(['PAYOUT', 'PAYOUT_CORRECTION', 'REVERSAL']);

/** Payouts of all partners, newest first. */
export async function listPayouts(
  { db, ...opening }: Opening & { db: Executor },
  { limit, offset, cursor, ...filter }: PayoutFilter & PageRequest<string>,
): Promise<Listed<PayoutView, string>> {
  const { items, ...found } = await selectMatching(db, filter, { limit, offset, cursor });
  return { items: items.map((parts) => toView(opening, parts)), ...found };
}

const toView = (opening: Opening, { row, transaction }: PayoutParts): PayoutView => ({
  bankCode: row.bankCode,
  bankName: row.bankName,
  accountNumber: undefined,
  accountName: undefined,
  ...accountIfSound(opening, row),
  id: row.id,
  reference: transaction.reference,
  externalReference: transaction.externalReference ?? undefined,
  partnerId: row.partnerId,
  wallet: row.wallet,
  amount: row.amount,
  charges: transaction.fee + transaction.stampDuty,
  state: row.state,
  provider: row.provider,
  providerReference: row.providerReference,
  providerId: row.providerId ?? undefined,
  attempts: row.attempts,
  dueAt: row.dueAt ?? undefined,
  failureReason: row.failureReason ?? undefined,
  failureDetail: row.failureDetail ?? undefined,
  contradiction: row.contradiction ?? undefined,
  correctionId: row.correctionId ?? undefined,
  createdAt: row.createdAt,
  sentAt: row.sentAt ?? undefined,
  endedAt: row.endedAt ?? undefined,
  reversedAt: row.reversedAt ?? undefined,
});

type Sent = Pick<PayoutRow, 'provider' | 'amount' | 'state' | 'sentAt'> & {
  reference: string;
  /** The payout failed, and operators booked that it was paid all the same. */
  isCorrected: boolean;
};

/** The payouts sent to a provider from one moment until before another that it may have paid. */
export const findSentBetween = (
  db: Executor,
  provider: string,
  { from, until }: { from: Date; until: Date },
): Promise<{ reference: string; amount: bigint }[]> => selectSentBetween(db, { provider, from, until });

/** The provider's oldest payout with an unknown outcome. */
export async function findOldestUnknown(
  db: Executor,
  provider: string,
): Promise<{ id: string; sentAt: Date | undefined } | undefined> {
  const row = await selectOldestUnknown(db, { provider });
  return row && { id: row.id, sentAt: row.sentAt ?? undefined };
}

/** A payout by our reference at its provider. */
export async function findSentPayout(db: Executor, providerReference: string): Promise<Sent | undefined> {
  const found = await selectWithCorrection(db, { providerReference });
  if (found === undefined) return undefined;
  const { provider, amount, state, sentAt } = found.row;
  return { reference: providerReference, provider, amount, state, sentAt, isCorrected: isInForce(found.correction) };
}

/** The references whose payouts failed and were corrected: the provider's payment is in the books. */
export async function findCorrected(db: Executor, references: readonly string[]): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  return new Set((await selectCorrected(db, [references])).map(({ reference }) => reference));
}

const isInForce = (correction: string | null): boolean => correction !== null && correction !== 'Reversed';
