import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { addUpDays } from '#modules/books';
import { findFloat, systemAccount } from '#modules/ledger';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { usePast } from '../../support/ledger.ts';
import { postingBetween } from '../../support/post.ts';

const server = useApp();
const postAt = usePast(server);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STATEMENT_MS = 400;
/** What a movement costs the statement that adds it up. */
const MOVEMENT_MS = 20;

/** A worker whose statements may take no longer than that. */
let worker: DatabaseHandle | undefined;
beforeAll(() => {
  worker = openDatabase(server.resources.databaseUrl, 2, () => {}, { statementTimeoutMs: STATEMENT_MS });
});
afterAll(() => worker?.close());

const slowed = `
  create function books.take_time() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(${MOVEMENT_MS / 1000} * new.transactions);
    return new;
  end $$;
  create trigger take_time before insert on books.hour_total for each row execute function books.take_time();`;

it('after a stop the roll-up arrives, though one statement can add up neither a day nor its busiest hour', async () => {
  if (worker === undefined) throw new Error('the worker runs from beforeAll to afterAll');
  const partner = await server.newPartner();
  const float = await findFloat(server.resources.db, server.resources.keyring, partner.id, 'NGN');
  const stopped = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 50 * HOUR_MS;
  const hourly = Array.from({ length: 48 }, (_, hour) => stopped + hour * HOUR_MS);
  const inOneHour = Array.from({ length: 40 }, (_, minute) => stopped + 20 * HOUR_MS + (minute + 1) * MINUTE_MS);
  for (const at of [...hourly, ...inOneHour].toSorted((a, b) => a - b)) {
    const posting = { owner: partner.id, reference: `past-${at}` };
    await postAt(postingBetween(systemAccount('CLEARING', 'NGN'), float?.id ?? 0, 100n, posting), new Date(at));
  }
  await server.owner.query(slowed);

  const lagS = async () =>
    Number(
      (await server.owner.query('select extract(epoch from now() - until) as lag from books.totalled')).rows[0].lag,
    );
  for (let run = 0; run < 10 && (await lagS()) > 60; run++) await addUpDays(worker, { graceS: 0, everyS: 1 });
  expect(await lagS()).toBeLessThan(60);
  const { rows } = await server.owner.query(
    `select sum(transactions)::int as transactions, sum(debits)::int as debits from books.hour_total where hour < $1`,
    [new Date(stopped + 48 * HOUR_MS)],
  );
  expect(rows).toEqual([{ transactions: 88, debits: 8_800 }]);
  expect(await brokenInvariants(server)).toEqual([]);
});
