import type { Executor } from '#lib/database.ts';
import { type PayoutRow, selectByProviderReference, selectOldestUnknown, selectSentBetween } from './store.ts';

type Sent = Pick<PayoutRow, 'provider' | 'amount' | 'state'> & { reference: string };

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
  const row = await selectByProviderReference(db, { providerReference });
  return row && { reference: row.providerReference, provider: row.provider, amount: row.amount, state: row.state };
}
