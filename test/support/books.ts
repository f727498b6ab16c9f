import { expect } from 'vitest';
import type { TestApp } from './app.ts';

interface Counts {
  entries: number;
  events: number;
  declined: number;
  transactions: number;
}

const counts = async ({ resources }: TestApp): Promise<Counts> => {
  const { rows } = await resources.pool.query<Counts>(`
    select (select count(*)::int from ledger.entry) as entries,
      (select count(*)::int from outbox.event) as events,
      (select count(*)::int from ledger.transaction where status = 'Failed') as declined,
      (select count(*)::int from ledger.transaction) as transactions`);
  const [row] = rows;
  if (row === undefined) throw new Error('a count returned nothing');
  return row;
};

/** Does `work` and asserts that it moved and told nothing: what it leaves is so many declined references. */
export async function leavesNothingBut<T>(server: TestApp, declined: number, work: () => Promise<T>): Promise<T> {
  const before = await counts(server);
  const result = await work();
  expect(await counts(server)).toEqual({
    ...before,
    declined: before.declined + declined,
    transactions: before.transactions + declined,
  });
  return result;
}

/** The events that tell of a wallet, oldest first, parsed. */
export async function eventsOf({ resources }: TestApp, wallet: string): Promise<Record<string, unknown>[]> {
  const { rows } = await resources.pool.query<{ body: string }>(
    'select body from outbox.event where reference = $1 order by sequence',
    [wallet],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

/** What the books say of themselves: the names of the invariants that are broken. */
export async function brokenInvariants(server: TestApp): Promise<string[]> {
  const answer = await server.operate('GET', '/ledger/check');
  const { checks } = answer.json<{ checks: { name: string; violations: number }[] }>();
  return checks.filter(({ violations }) => violations > 0).map(({ name }) => name);
}
