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
