import type { Invariant, OffendingRow, Scope } from '#lib/invariant.ts';
import { type SnapshotReader, type Snapshots, TimeLimitExceeded } from '#lib/postgres/long-work.ts';

import type { Remembered } from './tables.ts';

/** Rows shown for each broken invariant. */
export const SHOWN_MAX = 20;

/** What a check says of one invariant. */
export interface IntegrityCheck {
  name: string;
  promise: string;
  /** How many rows break it. */
  violations: number;
  /** The first of them. */
  rows: readonly OffendingRow[];
  durationMs: number;
  /** It took longer than it may: whether it holds is not known. */
  timedOut?: true;
  /** It could not be told, e.g. because a stored value cannot be read: whether it holds is not known. */
  error?: string;
  /** See `StoredResult`. */
  found?: Readonly<Record<string, string>>;
  remembered?: Remembered;
}

/** Tells whether an invariant holds, in a snapshot of its own, within `limitMs`. Only a broken connection makes it throw. */
export async function tell(
  snapshots: Pick<Snapshots, 'read'>,
  invariant: Invariant,
  scope: Scope,
  limitMs: number,
): Promise<IntegrityCheck> {
  const { name, promise } = invariant;
  const begun = performance.now();
  const result = (found: Pick<IntegrityCheck, 'violations' | 'rows' | 'timedOut' | 'error'>): IntegrityCheck => ({
    name,
    promise,
    durationMs: Math.round(performance.now() - begun),
    ...found,
  });
  try {
    return result(await snapshots.read(limitMs, (reader) => offendersOf(reader, invariant, scope)));
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return result({ violations: 0, rows: [], timedOut: true });
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string' || isOfTheConnection(code)) throw error;
    return result({ violations: 0, rows: [], error: `${code}: ${error instanceof Error ? error.message : ''}` });
  }
}

/** SQLSTATE classes of a connection that is gone, or a server that ends; an error of any other class leaves the rest to be told. */
const isOfTheConnection = (code: string): boolean => !/^[0-9A-Z]{5}$/.test(code) || /^(08|57)/.test(code);

async function offendersOf(
  reader: SnapshotReader,
  invariant: Invariant,
  scope: Scope,
): Promise<Pick<IntegrityCheck, 'violations' | 'rows'>> {
  if ('find' in invariant) return firstOf(invariant.find(reader, scope));
  const found = await reader.rows<OffendingRow & { violations: string }>(
    `select count(*) over () as violations, x.* from (${invariant.offenders(scope)}) x limit ${SHOWN_MAX}`,
  );
  const rows = found.map(({ violations: _violations, ...row }) => row);
  return { violations: Number(found[0]?.violations ?? 0), rows };
}

async function firstOf(found: AsyncIterable<OffendingRow>): Promise<Pick<IntegrityCheck, 'violations' | 'rows'>> {
  const rows: OffendingRow[] = [];
  let violations = 0;
  for await (const row of found) {
    violations += 1;
    if (rows.length < SHOWN_MAX) rows.push(row);
  }
  return { violations, rows };
}
