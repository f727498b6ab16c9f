import type { Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { preparedText } from '#lib/prepared.ts';

const selectUntil = preparedText<{ until: string | null }>(
  'ledger.archived-until',
  `select to_json(max(ends_at)) #>> '{}' as until from ledger.archive`,
);

/** Before which moment the entries are archived; undefined where none are. */
export async function archivedUntil(db: Executor): Promise<Date | undefined> {
  const [row] = await selectUntil(db, []);
  return row?.until == null ? undefined : new Date(row.until);
}

/** A part of the entries that was archived: everything from one moment until just before another. */
export interface ArchivedPart {
  /** The table that it was, and the directory of its files. */
  part: string;
  /** Undefined of the first, which has everything before its end. */
  startsAt: Date | undefined;
  endsAt: Date;
}

const selectParts = preparedText<{ part: string; starts: string | null; ends: string }>(
  'ledger.archived-parts',
  `select part, to_json(starts_at) #>> '{}' as starts, to_json(ends_at) #>> '{}' as ends from ledger.archive
    where ends_at > $1 and (starts_at is null or starts_at <= $2) order by ends_at`,
);

/** The archived parts that may have entries of a time, oldest first. */
export async function archivedParts(
  db: Executor,
  { from, until }: { from: Date; until: Date },
): Promise<ArchivedPart[]> {
  const rows = await selectParts(db, [from, until]);
  return rows.map(({ part, starts, ends }) => ({
    part,
    startsAt: starts === null ? undefined : new Date(starts),
    endsAt: new Date(ends),
  }));
}

/** What is carried of an account: the number of its last archived entry, and what that one left. */
export interface Carried {
  version: number;
  closing: bigint;
  /** Nothing dated before it is among the account's entries any more. */
  until: Date;
}

const selectCarried = preparedText<{ version: string; closing: string; until: string }>(
  'ledger.carried',
  `select version, closing, to_json((select max(ends_at) from ledger.archive)) #>> '{}' as until from ledger.carried
    where account_id = $1 and version is not null order by ends_at desc limit 1`,
);

/** What is carried of a strict account; undefined where all of its entries are there. */
export async function carriedOf(db: Executor, account: number): Promise<Carried | undefined> {
  const [row] = await selectCarried(db, [account]);
  return row && { version: Number(row.version), closing: BigInt(row.closing), until: new Date(row.until) };
}

/** Months stay for a year at least: what is younger is there. */
const KEPT_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * @param from the moment since when the entries of a strict account are needed
 * @throws DomainError PERIOD_ARCHIVED where some of the account that are, or may be, since then are archived
 */
export async function assertKeptSince(
  db: Executor,
  { account, from, now }: { account: number; from: Date; now: Date },
): Promise<void> {
  if (now.getTime() - from.getTime() < KEPT_MS) return;
  const carried = await carriedOf(db, account);
  if (carried !== undefined && from < carried.until)
    throw archivedError('the statement begins too early', carried.until);
}

/** The error for what only the archive can tell. */
export const archivedError = (what: string, until: Date): DomainError =>
  new DomainError('PERIOD_ARCHIVED', `${what}: entries from before ${until.toISOString()} are archived`);

/**
 * @param what cannot be done or told without the entries
 * @throws DomainError PERIOD_ARCHIVED for a transaction that began so long ago that entries of it are archived
 */
export async function assertNotArchived(db: Executor, { createdAt }: { createdAt: Date }, what: string): Promise<void> {
  const until = await archivedUntil(db);
  if (until !== undefined && createdAt < until) throw archivedError(what, until);
}
