import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { brokenInvariants } from './books.ts';

/** The error of a test's call whose answer no document describes. */
export const FAILED = 'answered 500, which is not described';

interface Alteration {
  /** Whose rows. They are put back as they were. */
  table: string;
  /** As the owner of the tables, who can do all. */
  changes?: string[];
  /** As whoever has the login of the server at the database, and nothing else of it. */
  byServer?: string;
  /** The checks of the books that name it; none: only what was stored before stands there, and nothing was done by it. */
  seenBy: string;
}

/**
 * Writes to a table past the server, sees that the check names it and that what is done meanwhile is a security event, and puts the
 * table back as it was. The rows as they were stand in `public.kept` meanwhile. A file that uses this checks all books at its end.
 */
export async function whileAltered(
  server: TestApp,
  { table, changes = [], byServer, seenBy }: Alteration,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const past = (statements: string) =>
    server.owner.query(`begin; set local session_replication_role = replica; ${statements}; commit`);
  await past(`drop table if exists public.kept; create table public.kept as table ${table}; ${changes.join('; ')}`);
  if (byServer !== undefined) expect((await server.resources.pool.query(byServer)).rowCount).toBeGreaterThan(0);
  // Processes remember credentials for less than a second.
  server.clock.advance(1_000);
  try {
    expect(await brokenInvariants(server, [seenBy])).toEqual([seenBy]);
    const before = server.logged.length;
    await meanwhile();
    expect(server.logged.slice(before)).toContain('"event":"stored_record_altered"');
  } finally {
    await past(
      `delete from ${table}; insert into ${table} overriding system value table public.kept; drop table public.kept`,
    );
  }
  server.clock.advance(1_000);
  expect(await brokenInvariants(server, [seenBy])).toEqual([]);
}
