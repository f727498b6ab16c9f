import { DomainError } from '#lib/domain-error.ts';
import type { Resources } from '../../resources.ts';
import { splitNotFound } from './get-split.ts';
import { type Split, toSplit } from './split.ts';
import { cancelUnpaid, selectSplit } from './store.ts';
import { requireTerminal, type TerminalName } from './terminal.ts';

/**
 * Cancels a split of which nothing is paid. A payment that is under way is waited for.
 *
 * @throws DomainError TERMINAL_NOT_FOUND, SPLIT_NOT_FOUND; SPLIT_NOT_CANCELLABLE once something is paid, and for one
 *   that is cancelled or expired already
 */
export async function cancelSplit(
  { db, clock }: Pick<Resources, 'db' | 'clock'>,
  { terminal, reference }: { terminal: TerminalName; reference: string },
): Promise<Split> {
  const { id } = await requireTerminal(db, terminal);
  const now = clock.now();
  return db.transaction(async (tx) => {
    const cancelled = await cancelUnpaid(tx, id, reference, now);
    if (cancelled !== undefined) return toSplit(cancelled, now);
    if ((await selectSplit(tx, id, reference)) === undefined) throw splitNotFound();
    throw new DomainError('SPLIT_NOT_CANCELLABLE', 'a split can be cancelled only while it is pending and unpaid');
  });
}
