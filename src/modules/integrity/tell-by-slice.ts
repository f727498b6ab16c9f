import { everything, type Slice, type SqlInvariant, within } from '#lib/invariant.ts';
import type { Snapshots } from '#lib/postgres/long-work.ts';
import { type IntegrityCheck, SHOWN_MAX, tell } from './tell.ts';

/** What is over so long is not written any more. */
const OVER_MS = 24 * 60 * 60 * 1000;

/** What earlier checks have found right: when, by the end of the slice. */
export type Found = Readonly<Record<string, string>>;

/**
 * Tells an invariant slice by slice, each in a snapshot of its own, within `limitMs` in all. First come those that are not known to
 * be right, the newest first, and then the others, the one first that was looked at longest ago. So a check of any size goes on
 * where the one before it had to stop, and looks at everything again by and by. What it does not come to is told as it was found
 * before; where that is not known, or where none of the others could be looked at again, as not told in time.
 */
export async function tellBySlice(
  snapshots: Pick<Snapshots, 'read'>,
  invariant: SqlInvariant & { slices: string },
  { found, now, limitMs }: { found: Found; now: Date; limitMs: number },
): Promise<IntegrityCheck> {
  const begun = performance.now();
  const leftMs = () => limitMs - (performance.now() - begun);
  const slices = await slicesOf(snapshots, invariant.slices, limitMs);
  if (slices.length === 0) return tell(snapshots, invariant, everything, limitMs);

  const { name, promise } = invariant;
  const right: Record<string, string> = {};
  const told: IntegrityCheck = { name, promise, violations: 0, rows: [], durationMs: 0 };
  const remembered: string[] = [];
  let goesOn = false;
  for (const slice of inTurn(slices, found)) {
    const key = slice.to?.toISOString() ?? '';
    const before = found[key];
    const check = leftMs() > 0 ? await tell(snapshots, invariant, within(slice), leftMs()) : undefined;
    if (check === undefined || check.timedOut) {
      if (before === undefined || (check !== undefined && !goesOn)) told.timedOut = true;
      if (before !== undefined) {
        remembered.push(before);
        right[key] = before;
      }
      continue;
    }
    goesOn ||= before !== undefined;
    if (check.error !== undefined) told.error ??= check.error;
    told.violations += check.violations;
    told.rows = [...told.rows, ...check.rows].slice(0, SHOWN_MAX);
    const isOver = slice.to !== undefined && now.getTime() - slice.to.getTime() > OVER_MS;
    if (isOver && check.violations === 0 && check.error === undefined) right[key] = now.toISOString();
  }
  const since = remembered.toSorted()[0];
  return {
    ...told,
    durationMs: Math.round(performance.now() - begun),
    found: right,
    ...(since !== undefined && { remembered: { slices: remembered.length, since } }),
  };
}

async function slicesOf(snapshots: Pick<Snapshots, 'read'>, query: string, limitMs: number): Promise<Slice[]> {
  const rows = await snapshots.read(limitMs, (reader) =>
    reader.rows<{ starts: string | null; ends: string | null }>(query),
  );
  const moment = (text: string | null) => (text === null ? undefined : new Date(text));
  return rows.map(({ starts, ends }) => ({ from: moment(starts), to: moment(ends) }));
}

function inTurn(slices: readonly Slice[], found: Found): Slice[] {
  const foundAt = ({ to }: Slice): string => found[to?.toISOString() ?? ''] ?? '';
  const endOf = ({ to }: Slice): number => to?.getTime() ?? Number.POSITIVE_INFINITY;
  return slices.toSorted((a, b) => foundAt(a).localeCompare(foundAt(b)) || (endOf(a) < endOf(b) ? 1 : -1));
}
