import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import type { TransactionType } from '#modules/ledger';
import { openPayoutAccount, type PayoutAccount } from './payout-account.ts';
import type { PayoutState } from './payout-state.ts';
import {
  type PayoutFilter,
  type PayoutParts,
  type PayoutRow,
  selectById,
  selectByTransaction,
  selectMatching,
  selectPayees,
} from './store.ts';

/** A payout as the operator sees it. Amounts are minor units of naira. */
export interface PayoutView extends PayoutAccount {
  id: string;
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
  /** When the provider is asked next; undefined: not any more. */
  dueAt: Date | undefined;
  failureReason: string | undefined;
  failureDetail: string | undefined;
  /** What the provider said that cannot be true beside what it said before. */
  contradiction: NonNullable<PayoutRow['contradiction']> | undefined;
  /** Of one that has failed and was paid all the same: the transaction that took its money after all. */
  correctionId: number | undefined;
  createdAt: Date;
  sentAt: Date | undefined;
  endedAt: Date | undefined;
  reversedAt: Date | undefined;
}

/** The error for a payout that does not exist. */
export const payoutNotFound = (): DomainError => new DomainError('PAYOUT_NOT_FOUND', 'there is no such payout');

/** A payout of any partner. @throws DomainError PAYOUT_NOT_FOUND */
export async function getPayout({ db, keyring }: { db: Database; keyring: Keyring }, id: string): Promise<PayoutView> {
  const found = await selectById(db, { id });
  if (found === undefined) throw payoutNotFound();
  return toView(keyring, found);
}

/** The payout of a transaction; undefined of one that is none. */
export async function findPayoutOf(
  db: Executor,
  keyring: Keyring,
  transactionId: number,
): Promise<PayoutView | undefined> {
  const found = await selectByTransaction(db, { id: transactionId });
  return found && toView(keyring, found);
}

/**
 * By transaction: the bank account that its money went to, or came back from: of payouts, their corrections and the reversals of
 * either. Other transactions are left out.
 */
export async function findPayees(
  db: Executor,
  keyring: Keyring,
  transactions: readonly { id: number; type: TransactionType }[],
): Promise<ReadonlyMap<number, PayoutAccount>> {
  const ids = transactions.filter(({ type }) => PAID_OUT.has(type)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await selectPayees(db, [ids]);
  return new Map(
    found.map(({ transactionId, amount, ...row }) => [
      Number(transactionId),
      openPayoutAccount(keyring, { ...row, amount: BigInt(amount) }),
    ]),
  );
}

const PAID_OUT = new Set<TransactionType>(['PAYOUT', 'PAYOUT_CORRECTION', 'REVERSAL']);

/** Payouts of all partners, newest first. */
export async function listPayouts(
  { db, keyring }: { db: Executor; keyring: Keyring },
  { limit, offset, cursor, ...filter }: PayoutFilter & PageRequest<string>,
): Promise<Listed<PayoutView, string>> {
  const { items, ...found } = await selectMatching(db, filter, { limit, offset, cursor });
  return { items: items.map((parts) => toView(keyring, parts)), ...found };
}

const toView = (keyring: Keyring, { row, transaction }: PayoutParts): PayoutView => ({
  ...openPayoutAccount(keyring, row),
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
