import assert from 'node:assert/strict';
import type { Pool } from 'pg';
import { eventually } from '../../support/eventually.ts';

/** Everything that waits is sent, retried and given up in this time, once nothing goes wrong any more. */
const QUIET_MAX_MS = 300_000;

/** Waits until a statement finds nothing any more, but not for ever: what is left breaks its promise then. */
export const untilNone = (pool: Pool, select: string): Promise<void> =>
  eventually(async () => assert.equal((await pool.query(select)).rowCount, 0), {
    timeoutMs: QUIET_MAX_MS,
    intervalMs: 500,
  }).catch(() => undefined);

/** A promise, and what breaks it. */
export interface Verdict {
  readonly promise: string;
  readonly broken: readonly string[];
  /** What it was held against, in numbers. */
  readonly looked: string;
}

/** A promise that was held against nothing was not held: what breaks it then. */
export const atLeastOne = (count: number, what: string): string[] => (count > 0 ? [] : [`no ${what}`]);
