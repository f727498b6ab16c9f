import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { type Split, splitNotFound, toSplit } from './split.ts';
import { cancelUnpaid, selectSplit } from './store.ts';
import { requireTerminal, type TerminalName } from './terminal.ts';

/**
 * Cancels a split of which nothing is paid. It waits for a payment that is under way.
 *
 * @throws DomainError TERMINAL_NOT_FOUND, SPLIT_NOT_FOUND; SPLIT_NOT_CANCELLABLE once something is paid, and for one
 *   that is cancelled or expired already
 */
export async function cancelSplit(
  { transact, db, keyring, clock }: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  { terminal, reference }: { terminal: TerminalName; reference: string },
): Promise<Split> {
  const { id } = await requireTerminal(db, keyring, terminal);
  const now = clock.now();
  return transact(async (tx) => {
    const cancelled = await cancelUnpaid(tx, id, reference, now);
    if (cancelled !== undefined) return toSplit(cancelled, now);
    if ((await selectSplit(tx, keyring, { terminalId: id, reference })) === undefined) throw splitNotFound();
    throw new DomainError('SPLIT_NOT_CANCELLABLE', 'a split can be cancelled only while it is pending and unpaid');
  });
}
