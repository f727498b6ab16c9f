import type { Executor } from '#lib/postgres/executor.ts';
import { selectSenders } from './payment-store.ts';

/** By transaction: who sent it, as the rails named them. Transactions that no rails reported are left out. */
export async function findSenders(
  db: Executor,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (transactionIds.length === 0) return new Map();
  const found = await selectSenders(db, transactionIds);
  return new Map(
    found.flatMap(({ transactionId, senderName, senderPaytag }) => {
      const sender = senderName ?? senderPaytag;
      return sender === null ? [] : [[transactionId, sender] as const];
    }),
  );
}
