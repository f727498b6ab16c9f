import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { asMinor, type Minor } from '#modules/ledger';
import { splitNotFound, statusAt } from './split.ts';
import { addInstalment, addToBalance, selectSplitLocked } from './store.ts';

/** A split whose row is locked until this transaction ends. */
export interface LockedSplit {
  id: number;
  /** Why it refuses this instalment; undefined when it takes it. */
  refusal: 'SPLIT_NOT_PAYABLE' | 'SPLIT_OVERPAYMENT' | undefined;
}

/**
 * Locks a split and says whether it takes an instalment. Comes before the posting that pays it, since a split is locked
 * before any reference or account.
 *
 * @throws DomainError SPLIT_NOT_FOUND
 */
export async function lockSplit(
  tx: Tx,
  keyring: Keyring,
  { terminalId, reference, amount }: { terminalId: number; reference: string; amount: Minor },
  now: Date,
): Promise<LockedSplit> {
  const row = await selectSplitLocked(tx, keyring, { terminalId, reference });
  if (row === undefined) throw splitNotFound();
  if (statusAt(row, now) !== 'Pending') return { id: row.id, refusal: 'SPLIT_NOT_PAYABLE' };
  return { id: row.id, refusal: amount > row.amount - row.totalPaid ? 'SPLIT_OVERPAYMENT' : undefined };
}

/** Adds a posted instalment to the split that was locked for it. The last instalment makes it Paid. */
export async function paySplit(tx: Tx, split: LockedSplit, amount: Minor, now: Date): Promise<void> {
  await addInstalment(tx, split.id, amount, now);
}

/** Adds what a payment brought into the float to the balance of its terminal. @returns the new balance */
export async function addToTerminal(tx: Tx, terminalId: number, net: Minor): Promise<Minor> {
  return asMinor(await addToBalance(tx, terminalId, net));
}
