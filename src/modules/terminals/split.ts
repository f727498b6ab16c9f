import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import { recordChange } from '#modules/audit';
import { asMinor, type Minor } from '#modules/ledger';
import {
  addInstalment,
  addToBalance,
  cancelUnpaid,
  expireOverdue,
  insertSplit,
  type SplitRow,
  selectSplit,
  selectSplitLocked,
  selectSplits,
} from './store.ts';
import type { SplitStatus } from './tables.ts';
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
const statusAt = ({ status, totalPaid, expiresAt }: SplitRow, now: Date): SplitStatus =>
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
const splitNotFound = (): DomainError =>
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

/** Splits in one statement at most: it bounds how long their rows stay locked. */
const BATCH_MAX = 1_000;

/**
 * Marks as expired every split that is past its time and of which nothing is paid. Wherever a split is read it counts as
 * expired even before it is marked.
 *
 * @param closing aborted when no further batch is to be begun
 * @returns how many
 */
export async function expireSplits(db: Database, now: Date, closing?: AbortSignal): Promise<number> {
  let expired = 0;
  for (;;) {
    if (closing?.aborted === true) return expired;
    const batch = await expireOverdue(db, now, BATCH_MAX);
    expired += batch;
    if (batch < BATCH_MAX) return expired;
  }
}
