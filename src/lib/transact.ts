import type { Database, Tx } from './database.ts';

/** Runs `work` in one transaction. After the commit it wakes the worker, when `wakeAfterCommit` was called for it. */
export type Transact = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const withDeliveries = new WeakSet<object>();

/**
 * Has the worker look for due deliveries as soon as this transaction commits. Called by whatever makes a delivery due (an
 * event that is written, a resend, a receiver that is resumed), so that no caller of it can forget the worker.
 */
export function wakeAfterCommit(tx: object): void {
  withDeliveries.add(tx);
}

/** @param wake called after each commit of a transaction that made deliveries due */
export const createTransact =
  (db: Database, wake: () => void): Transact =>
  async (work) => {
    const { result, isDue } = await db.transaction(async (tx) => ({
      result: await work(tx),
      isDue: withDeliveries.has(tx),
    }));
    if (isDue) wake();
    return result;
  };
