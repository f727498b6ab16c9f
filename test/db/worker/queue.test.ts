import { Client } from 'pg';
import { expect, it } from 'vitest';
import { QUEUE_SCHEMA } from '../../../src/migrate.ts';
import { openQueue } from '../../../src/worker/queue.ts';
import { asOwner, createDatabase, SPENT_STATES } from '../../support/database.ts';
import { deliversWhenWoken, useRunning, useWorkers, wakeUps } from './stories.ts';

const running = useRunning();

async function rowsIn({ databaseUrl }: { databaseUrl: string }): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1 and tablename <> 'migration'`,
    [QUEUE_SCHEMA],
  );
  const counts = tables.map(({ name }) => `(select count(*) from ${name})`).join('+');
  const { rows } = await client.query<{ count: number }>(`select (${counts})::int as count`);
  await client.end();
  return rows[0]?.count ?? 0;
}

wakeUps('PostgreSQL', async () => ({ redisUrl: undefined, databaseUrl: await createDatabase() }), rowsIn);
deliversWhenWoken('PostgreSQL', useWorkers(), () => undefined);

it.each(['25006', ...SPENT_STATES])('a queue on PostgreSQL goes on over another connection after %s', async (state) => {
  const databaseUrl = await createDatabase();
  const queue = openQueue({ redisUrl: undefined, databaseUrl }, () => undefined);
  running.push(queue);
  const owner = new Client({ connectionString: asOwner(databaseUrl) });
  await owner.connect();
  running.push({ close: () => owner.end() });
  const pidOf = async () =>
    (
      await owner.query(
        `select pid from pg_stat_activity where application_name = 'paytag-queue' and datname = current_database()`,
      )
    ).rows;
  await queue.add();
  const before = await pidOf();
  await owner.query(`
    create function public.refuse() returns trigger language plpgsql as
      $f$ begin raise exception 'so it is' using errcode = '${state}'; end $f$;
    do $$ declare t text; begin
      for t in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = '${QUEUE_SCHEMA}' loop
        execute format('create trigger refuse before insert or update or delete on %s for each statement execute function public.refuse()', t);
      end loop;
    end $$`);
  await expect(queue.add()).rejects.toThrow('so it is');
  await owner.query('drop function public.refuse() cascade');
  await queue.add();
  expect(before).toHaveLength(1);
  expect(await pidOf()).not.toEqual(before);
});
