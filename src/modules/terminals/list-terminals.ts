import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type Split, toSplit } from './split.ts';
import { type SplitFilter, type SplitParts, selectSplitsMatching, selectTerminals } from './store.ts';
import { requireTerminal, type Terminal, toTerminal } from './terminal.ts';

/** Splits that are shown with their terminal. */
const SPLITS_SHOWN = 100;

/** A split as the operator finds it. */
export interface FoundSplit extends Split {
  serialNumber: string;
  partnerId: string;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date | undefined;
}

type Deps = { db: Executor; keyring: Keyring; clock: Clock };

/** Terminals of all partners or one, newest first. `count` is of all that match. */
export async function listTerminals(
  { db, keyring }: { db: Executor; keyring: Keyring },
  query: { partnerId?: string | undefined } & PageRequest<number>,
): Promise<Listed<Terminal, number>> {
  const { items, ...found } = await selectTerminals(db, query);
  return { ...found, items: items.map((row) => toTerminal(keyring, row)) };
}

/** A terminal of any partner, with its newest splits. @throws DomainError TERMINAL_NOT_FOUND */
export async function readTerminal(
  { db, clock, keyring }: Deps,
  serialNumber: string,
): Promise<Terminal & { splits: FoundSplit[] }> {
  const row = await requireTerminal(db, keyring, { serialNumber });
  const page = { limit: SPLITS_SHOWN, offset: 0, isUncounted: true };
  const now = clock.now();
  const { items } = await selectSplitsMatching(db, { terminalId: row.id }, page, now);
  return { ...toTerminal(keyring, row), splits: items.map((parts) => toFoundSplit(parts, now)) };
}

/**
 * The splits of all terminals that match, newest first.
 *
 * @throws DomainError TERMINAL_NOT_FOUND
 */
export async function findSplits(
  { db, keyring, clock }: Deps,
  {
    terminal,
    limit,
    offset,
    cursor,
    isUncounted,
    ...filter
  }: Omit<SplitFilter, 'terminalId'> & { terminal?: string | undefined } & PageRequest<number>,
): Promise<Listed<FoundSplit, number>> {
  const terminalId =
    terminal === undefined ? undefined : (await requireTerminal(db, keyring, { serialNumber: terminal })).id;
  const now = clock.now();
  const page = { limit, offset, cursor, isUncounted };
  const { items, ...found } = await selectSplitsMatching(db, { ...filter, terminalId }, page, now);
  return { ...found, items: items.map((parts) => toFoundSplit(parts, now)) };
}

const toFoundSplit = ({ split, terminal }: SplitParts, now: Date): FoundSplit => ({
  ...toSplit(split, now),
  ...terminal,
  createdAt: split.createdAt,
  updatedAt: split.updatedAt,
  expiresAt: split.expiresAt ?? undefined,
});
