import { sql } from '#drizzle';
import type { Database } from '#lib/database.ts';
import { invariants } from './invariants.ts';

/** It reads every entry: the timeout of a request would be too short. */
const STATEMENT_TIMEOUT_MS = 15 * 60 * 1000;
/** Rows shown for each broken invariant. */
const SHOWN_MAX = 20;

export interface IntegrityCheck {
  name: string;
  /** How many rows break it. */
  violations: number;
  /** The first of them. */
  rows: readonly Record<string, unknown>[];
}

/**
 * Checks every invariant of the books on the live database, in one snapshot, without stopping anything.
 *
 * @returns `ok` when none is broken
 */
export async function checkIntegrity(db: Database): Promise<{ ok: boolean; checks: IntegrityCheck[] }> {
  const checks = await db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`));
      await tx.execute(sql.raw('set local transaction_timeout = 0'));
      const done: IntegrityCheck[] = [];
      for (const { name, offenders } of invariants) {
        const { rows } = await tx.execute<Record<string, unknown> & { violations: string }>(
          sql.raw(`select count(*) over () as violations, x.* from (${offenders}) x limit ${SHOWN_MAX}`),
        );
        done.push({
          name,
          violations: Number(rows[0]?.violations ?? 0),
          rows: rows.map(({ violations: _violations, ...row }) => row),
        });
      }
      return done;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  return { ok: checks.every(({ violations }) => violations === 0), checks };
}
