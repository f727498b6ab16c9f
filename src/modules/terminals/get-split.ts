import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Split, toSplit } from './split.ts';
import { selectSplit } from './store.ts';
import { requireTerminal, type TerminalName } from './terminal.ts';

/** @throws DomainError TERMINAL_NOT_FOUND; SPLIT_NOT_FOUND, also for a split of another terminal */
export async function getSplit(
  { db, clock }: { db: Database; clock: Clock },
  { terminal, reference }: { terminal: TerminalName; reference: string },
): Promise<Split> {
  const { id } = await requireTerminal(db, terminal);
  const found = await selectSplit(db, id, reference);
  if (found === undefined) throw splitNotFound();
  return toSplit(found, clock.now());
}

export const splitNotFound = (): DomainError =>
  new DomainError('SPLIT_NOT_FOUND', 'this terminal has no split of this reference');
