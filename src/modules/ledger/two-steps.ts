import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { wakeAfterCommit } from '#lib/postgres/transact.ts';

interface Status extends Record<string, unknown> {
  status: string;
}

const captureHeld = preparedText<Status>('ledger.capture', 'select ledger.capture($1) as status', { writes: true });
const voidHeld = preparedText<Status>('ledger.void', 'select ledger.void($1, $2) as status', { writes: true });
const selectSourceStatus = preparedText<Status>(
  'ledger.source-status',
  'select a.status from ledger.transaction t join ledger.account a on a.id = t.source_id where t.id = $1',
);

/**
 * Moves what `ledger.authorize` held, with its charges, and publishes it: whatever the state of the wallet is by now, since the
 * money has left already. Of one that was captured or voided before nothing changes.
 *
 * @returns the transaction's status: Successful, or what it had become before
 */
export async function capture(tx: Tx, transactionId: number): Promise<string> {
  const [row] = await captureHeld(tx, [transactionId]);
  wakeAfterCommit(tx);
  return row?.status ?? '';
}

/**
 * Makes what was authorized available again: nothing moved, and nothing is published. Of one that was captured or voided
 * before nothing changes.
 *
 * @param reason says why, as readers see it: the transaction's FailureReason
 * @returns the transaction's status: Voided, or what it had become before
 */
export async function voidTransaction(tx: Tx, transactionId: number, reason: string): Promise<string> {
  const [row] = await voidHeld(tx, [transactionId, reason]);
  return row?.status ?? '';
}

/** The status of the account that a transaction takes its money from. */
export async function sourceStatusOf(db: Executor, transactionId: number): Promise<string | undefined> {
  return (await selectSourceStatus(db, [transactionId]))[0]?.status;
}
