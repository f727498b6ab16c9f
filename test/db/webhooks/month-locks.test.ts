import { Client } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { documentAt } from '../../support/documents.ts';
import { makeMonthsAhead } from '../../support/months-ahead.ts';

const guide = documentAt('src/docs/growth.md').text;
const database = useDatabase();
let owner: Client;
beforeAll(async () => {
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await makeMonthsAhead(owner);
  return () => owner.end();
});

/** The tables, parts aside, that a call holds locked in a mode when it is through. Nothing of it stays. */
async function lockedBy(sql: string, mode: string): Promise<string[]> {
  await owner.query('begin');
  const { rows: called } = await owner.query<{ n: number }>(`select ${sql} as n`);
  expect(called[0]?.n).toBeGreaterThan(0);
  const { rows } = await owner.query<{ name: string }>(
    `select l.relation::regclass::text as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and l.mode = $1 and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    [mode],
  );
  await owner.query('rollback');
  return rows.map(({ name }) => name);
}
async function dropPart(table: string, order: 'asc' | 'desc'): Promise<void> {
  const { rows } = await owner.query(`select part from outbox.parts('${table}') order by ends_at ${order} limit 1`);
  const part = `${table.split('.')[0]}.${rows[0]?.part}`;
  await owner.query(`alter table ${table} detach partition ${part}`);
  await owner.query(`drop table ${part}`);
}
/** The tables that the row of the guide names which begins with this. */
const namedIn = (row: string): string[] => {
  const [, , tables = ''] =
    guide
      .split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split('|') ?? [];
  return [...tables.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).toSorted();
};

it('a month that is made keeps writers from those tables that the guide names, and readers from none', async () => {
  for (const table of ['webhooks.attempt', 'webhooks.delivery', 'outbox.event']) await dropPart(table, 'desc');
  for (const [row, make] of [
    ['a month of events is made', 'outbox.make_months()'],
    ['one of deliveries and attempts is made', 'webhooks.make_months()'],
  ] as const) {
    expect([row, namedIn(row)]).toEqual([row, await lockedBy(make, 'ShareRowExclusiveLock')]);
    expect(await lockedBy(make, 'AccessExclusiveLock')).toEqual([]);
  }
});

it('an empty month that is dropped keeps readers too from those tables that the guide names', async () => {
  for (const [row, table] of [
    ['an empty month of attempts is dropped', 'webhooks.attempt'],
    ['one of deliveries is dropped', 'webhooks.delivery'],
  ] as const) {
    expect([row, namedIn(row)]).toEqual([row, await lockedBy('webhooks.drop_months()', 'AccessExclusiveLock')]);
    await dropPart(table, 'asc');
  }
});
