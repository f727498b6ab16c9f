import type { Executor } from '#lib/postgres/executor.ts';
import { selectReports } from './payment-store.ts';
import type { Sender } from './report.ts';

/** What a rail reported of a payment: who paid, and at which terminal for which split. */
export interface ReportedBy {
  sender: Sender;
  terminal: string | undefined;
  split: string | undefined;
}

/** By transaction: what the rails reported. Transactions that no rails reported are left out. */
export async function findReports(
  db: Executor,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, ReportedBy>> {
  if (transactionIds.length === 0) return new Map();
  const found = await selectReports(db, transactionIds);
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
