import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { asMinor, type Minor } from '#modules/ledger';
import type { SplitStatus } from './split-status.ts';
import { type SplitRow, selectSplit, selectSplits } from './store.ts';
import { requireTerminal, type TerminalName } from './terminal.ts';

/** A payment request of a terminal. Amounts are minor units; `totalPaid` and `remaining` always add up to `amount`. */
export interface Split {
  reference: string;
  amount: Minor;
  totalPaid: Minor;
  remaining: Minor;
  status: SplitStatus;
  title: string;
  description: string | undefined;
}

/**
 * The status at a moment: a split past its time has expired, even before it is marked as expired. One that is paid in part
 * does not expire.
 */
export const statusAt = ({ status, totalPaid, expiresAt }: SplitRow, now: Date): SplitStatus =>
  status === 'Pending' && totalPaid === 0n && expiresAt !== null && expiresAt <= now ? 'Expired' : status;

/** A stored split as it is at a moment. */
export const toSplit = (row: SplitRow, now: Date): Split => ({
  reference: row.reference,
  amount: asMinor(row.amount),
  totalPaid: asMinor(row.totalPaid),
  remaining: asMinor(row.amount - row.totalPaid),
  status: statusAt(row, now),
  title: row.title,
  description: row.description ?? undefined,
});

/** A split of a terminal. @throws DomainError TERMINAL_NOT_FOUND; SPLIT_NOT_FOUND, also for a split of another terminal */
export async function getSplit(
  { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock },
  { terminal, reference }: { terminal: TerminalName; reference: string },
): Promise<Split> {
  const { id } = await requireTerminal(db, keyring, terminal);
  const found = await selectSplit(db, keyring, { terminalId: id, reference });
  if (found === undefined) throw splitNotFound();
  return toSplit(found, clock.now());
}

/** The error for a split that this terminal does not have. */
export const splitNotFound = (): DomainError =>
  new DomainError('SPLIT_NOT_FOUND', 'this terminal has no split of this reference');

/** A terminal's splits, newest first. `count` is of all of them. @throws DomainError TERMINAL_NOT_FOUND */
export async function listSplits(
  { db, keyring, readLong, clock }: { db: Database; keyring: Keyring; readLong: ReadLong; clock: Clock },
  { terminal, ...page }: { terminal: TerminalName } & PageRequest<number>,
): Promise<Listed<Split, number>> {
  const { id } = await requireTerminal(db, keyring, terminal);
  const { items, ...found } = await readLong(`partner:${terminal.partnerId}`, async (long) =>
    selectSplits(long, id, page),
  );
  const now = clock.now();
  return { items: items.map((row) => toSplit(row, now)), ...found };
}
