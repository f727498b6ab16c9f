import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { type Split, toSplit } from './split.ts';
import { selectSplits } from './store.ts';
import { requireTerminal, type TerminalName } from './terminal.ts';

/** A terminal's splits, newest first. `count` is of all of them. @throws DomainError TERMINAL_NOT_FOUND */
export async function listSplits(
  { db, clock }: { db: Database; clock: Clock },
  { terminal, ...page }: { terminal: TerminalName; limit: number; offset: number },
): Promise<{ items: Split[]; count: number }> {
  const { id } = await requireTerminal(db, terminal);
  const { items, count } = await selectSplits(db, id, page);
  const now = clock.now();
  return { items: items.map((row) => toSplit(row, now)), count };
}
