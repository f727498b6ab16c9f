import { Client } from 'pg';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { createTransact } from '#lib/transact.ts';
import { claimDeliveries, dropDeliveryMonths, purgeDeliveries, recordAttempts } from '#modules/webhooks';
import { asServer, useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { makeMonthsAhead } from '../../support/months-ahead.ts';

const database = useDatabase();
let owner: Client;
let handle: DatabaseHandle;
beforeAll(async () => {
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await makeMonthsAhead(owner);
  handle = openDatabase(asServer(database.ownerUrl), 2, () => {});
  return async () => {
    await handle.close();
    await owner.end();
  };
});

const PAST = 'attempt_past';
const PAST_DELIVERIES = 'delivery_past';
/** Two months ago, as the month of a part; what was before it is the first part still. */
beforeEach(async () => {
  await owner.query('truncate outbox.event, webhooks.delivery, webhooks.attempt, webhooks.failure, webhooks.replayed');
  for (const { part, table } of await partsOver()) {
    await owner.query(`alter table ${table} detach partition webhooks.${part}`);
    await owner.query(`drop table webhooks.${part}`);
  }
  for (const [table, part] of [
    ['webhooks.delivery', PAST_DELIVERIES],
    ['webhooks.attempt', PAST],
  ]) {
    await owner.query(`create table webhooks.${part} (like ${table} including all)`);
    const { rows } = await owner.query(
      `select format('alter table ${table} attach partition webhooks.${part} for values from (%L) to (%L)',
         outbox.first_id_at(now() - interval '90 days'), outbox.first_id_at(now() - interval '50 days')) as statement`,
    );
    await owner.query(rows[0].statement);
  }
});
const partsOver = async (): Promise<{ part: string; table: string }[]> =>
  (
    await owner.query(
      `select p.part, t as table from unnest(array['webhooks.attempt', 'webhooks.delivery']) with ordinality u (t, place)
         cross join lateral outbox.parts(t::regclass) p
        where p.ends_at <= date_trunc('month', now() at time zone 'Africa/Lagos') at time zone 'Africa/Lagos' order by place, p.ends_at`,
    )
  ).rows;
const parts = async (): Promise<string[]> => (await partsOver()).map(({ part }) => part);

/** A delivery of two months ago that is due now. */
async function delivery(): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `with receiver as (
       insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, url)
       values (gen_random_uuid(), 'PARTNER', '', '', 'https://shop.example/hook') returning id),
     event as (
       insert into outbox.event (receiver_id, event, reference, body, created_at)
       select id, 'wallet.credited', 'PW-1', '{}', now() - interval '70 days' from receiver returning id)
     select id from event`,
  );
  const made = await owner.query<{ id: string }>(
    `update webhooks.delivery set id = uuidv7(interval '-70 days'), due_at = now() where event_id = $1 returning id`,
    [rows[0]?.id],
  );
  return made.rows[0]?.id ?? '';
}
async function attempt(status: 'PENDING' | 'DELIVERED'): Promise<void> {
  const { claimed } = await claimDeliveries(handle.pool, {
    limit: 5,
    perReceiver: 5,
    inFlight: new Map(),
    leaseMs: 60_000,
  });
  expect(claimed).toHaveLength(1);
  const [{ deliveryId, number } = { deliveryId: '', number: 0 }] = claimed;
  const error = status === 'PENDING' ? 'status 503' : null;
  await recordAttempts(handle.pool, [
    {
      deliveryId,
      number,
      status,
      retryInMs: error && 0,
      statusCode: error === null ? 200 : 503,
      durationMs: 5,
      error,
      response: null,
    },
  ]);
}

it('a month of attempts is dropped once nothing in it is left, and not while a delivery of it waits or keeps its attempts; that of the deliveries when they are forgotten', async () => {
  const id = await delivery();
  expect(await dropDeliveryMonths(handle.db)).toBe(0);
  await attempt('PENDING');
  expect(await dropDeliveryMonths(handle.db)).toBe(0); // the second attempt makes the first a row
  await attempt('DELIVERED');
  const { rows } = await owner.query(
    'select delivery_id, number, tableoid::regclass::text as part from webhooks.attempt',
  );
  expect(rows).toEqual([{ delivery_id: id, number: 1, part: `webhooks.${PAST}` }]);
  expect(await dropDeliveryMonths(handle.db)).toBe(0);
  expect(await parts()).toEqual([PAST, PAST_DELIVERIES]);

  const { purged } = await purgeDeliveries(
    { transact: createTransact(handle.pool, () => undefined) },
    { status: 'DELIVERED', before: new Date(Date.now() + 60_000), limit: 10 },
  );
  expect(purged).toBe(1);
  expect(await dropDeliveryMonths(handle.db)).toBe(1);
  expect(await parts()).toEqual([PAST_DELIVERIES]);

  await owner.query(`select webhooks.forget_deliveries(now() + interval '1 minute', 10)`);
  expect(await dropDeliveryMonths(handle.db)).toBe(1);
  expect(await parts()).toEqual([]);
  const { rows: events } = await owner.query('select count(*)::int as events from outbox.event');
  expect(events).toEqual([{ events: 1 }]);
});

it('a delivery that is held keeps the month of its attempts', async () => {
  await delivery();
  await owner.query('update webhooks.delivery set due_at = null');
  expect(await dropDeliveryMonths(handle.db)).toBe(0);
  expect(await parts()).toEqual([PAST, PAST_DELIVERIES]);
});

it('dropping gives up where somebody reads for long, and a process that is killed at it drops nothing', async () => {
  const reader = new Client({ connectionString: database.ownerUrl });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select from webhooks.attempt');
  expect(await dropDeliveryMonths(handle.db)).toBe(0);
  await reader.query('rollback');

  reader.on('error', () => undefined);
  const { rows } = await reader.query('select pg_backend_pid() as pid');
  await reader.query('begin');
  expect((await reader.query('select webhooks.drop_months() as dropped')).rows).toEqual([{ dropped: 1 }]);
  await owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await expect.poll(parts).toEqual([PAST, PAST_DELIVERIES]);
  await expect.poll(() => dropDeliveryMonths(handle.db)).toBe(1);
  expect(await dropDeliveryMonths(handle.db)).toBe(1);
  expect(await parts()).toEqual([]);
});

it('a month of deliveries is dropped beside one who writes an event and then its delivery, and neither waits for the other', async () => {
  expect(await dropDeliveryMonths(handle.db)).toBe(1); // that of the attempts
  const writer = new Client({ connectionString: database.ownerUrl });
  await writer.connect();
  await eventually(async () => {
    await writer.query('begin');
    await writer.query('lock table outbox.event in row exclusive mode');
    let isOver = false;
    const dropped = dropDeliveryMonths(handle.db).finally(() => (isOver = true));
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%drop_months%'`;
    await eventually(async () => expect(isOver || (await owner.query(waits)).rowCount).toBeTruthy());
    await writer.query('lock table webhooks.delivery in row exclusive mode');
    await writer.query('commit');
    expect(await dropped).toBe(1);
  });
  await writer.end();
  expect(await parts()).toEqual([]);
});

it('months are made and dropped whichever way PostgreSQL finds the parts, among those of other tables', async () => {
  await owner.query('analyze pg_catalog.pg_class, pg_catalog.pg_inherits');
  for (const without of ['nestloop', 'hashjoin', 'mergejoin']) {
    await owner.query('begin');
    await owner.query(`set local enable_${without} = off`);
    const { rows } = await owner.query('select webhooks.drop_months() as dropped, webhooks.make_months() as made');
    expect([without, rows]).toEqual([without, [{ dropped: 1, made: 0 }]]);
    await owner.query('rollback');
  }
});
