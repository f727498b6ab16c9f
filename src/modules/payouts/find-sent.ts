import type { Executor } from '#lib/postgres/executor.ts';
import {
  type PayoutRow,
  selectCorrected,
  selectOldestUnknown,
  selectSentBetween,
  selectWithCorrection,
} from './store.ts';

type Sent = Pick<PayoutRow, 'provider' | 'amount' | 'state' | 'sentAt'> & {
  reference: string;
  /** It has failed, and operators have booked that it was paid all the same. */
  isCorrected: boolean;
};

/** What a provider was asked to pay from one moment until before another, and may have paid. */
export const findSentBetween = (
  db: Executor,
  provider: string,
  { from, until }: { from: Date; until: Date },
): Promise<{ reference: string; amount: bigint }[]> => selectSentBetween(db, { provider, from, until });

/** The payout whose end nobody has known for the longest time, of those that a provider was asked for. */
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

/** Those of these references whose payouts have failed and were corrected: what the provider paid is in the books. */
export async function findCorrected(db: Executor, references: readonly string[]): Promise<Set<string>> {
  if (references.length === 0) return new Set();
  return new Set((await selectCorrected(db, [references])).map(({ reference }) => reference));
}

const isInForce = (correction: string | null): boolean => correction !== null && correction !== 'Reversed';
