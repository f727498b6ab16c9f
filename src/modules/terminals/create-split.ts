import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import { recordChange } from '#modules/audit';
import type { Minor } from '#modules/ledger';
import { type Split, toSplit } from './split.ts';
import { insertSplit, type SplitRow, selectSplit } from './store.ts';
import { requireTerminal, type TerminalName } from './terminal.ts';

export interface NewSplit {
  terminal: TerminalName;
  amount: Minor;
  title: string;
  description?: string | undefined;
  /** Unique among the terminal's; one of ours when none is given. */
  reference?: string | undefined;
  /** From then on a first instalment is refused. */
  expiresAt?: Date | undefined;
  /** The operator who creates it; undefined for the partner itself. */
  actor?: string | undefined;
  /** Why the operator creates it. */
  reason?: string | undefined;
}

/**
 * Asks for a payment at a terminal. The same reference with the same content answers the split as it is now.
 *
 * @throws DomainError TERMINAL_NOT_FOUND, REFERENCE_REUSED, INVALID_PARAMETER for an expiry in the past
 */
export async function createSplit(
  { transact, db, keyring, clock }: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  { terminal: name, actor, reason, reference = `SPL-${randomId()}`, ...asked }: NewSplit,
): Promise<Split> {
  const now = clock.now();
  const terminal = await requireTerminal(db, keyring, name);
  return transact(async (tx) => {
    const values = { ...asked, terminalId: terminal.id, reference, createdAt: now, updatedAt: now };
    const created = await insertSplit(tx, keyring, values);
    if (created === undefined) {
      const existing = await selectSplit(tx, keyring, { terminalId: terminal.id, reference });
      if (existing !== undefined && isSame(existing, asked)) return toSplit(existing, now);
      throw new DomainError('REFERENCE_REUSED', 'this terminal has another split of this reference: give a new one');
    }
    if (asked.expiresAt !== undefined && asked.expiresAt <= now) {
      throw new DomainError('INVALID_PARAMETER', 'expiresAt: must be in the future');
    }
    if (actor !== undefined) {
      const after = { terminal: terminal.serialNumber, amount: String(asked.amount), title: asked.title };
      await recordChange(tx, { actor, action: 'split.create', target: reference, after, reason });
    }
    return toSplit(created, now);
  });
}

const isSame = (row: SplitRow, asked: Pick<NewSplit, 'amount' | 'title' | 'description' | 'expiresAt'>): boolean =>
  row.amount === asked.amount &&
  row.title === asked.title &&
  row.description === (asked.description ?? null) &&
  row.expiresAt?.getTime() === asked.expiresAt?.getTime();
