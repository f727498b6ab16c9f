import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { createTransact } from '#lib/transact.ts';
import { makeMonths } from '#modules/ledger';
import { makeEventMonths } from '#modules/outbox';
import {
  claimDeliveries,
  dropDeliveryMonths,
  makeDeliveryMonths,
  purgeDeliveries,
  recordAttempts,
} from '#modules/webhooks';
import { asServer, useDatabase } from '../../support/database.ts';
import { documentAt } from '../../support/documents.ts';
import { eventually } from '../../support/eventually.ts';
import { useLedger } from '../../support/ledger.ts';
import { makeMonthsAhead } from '../../support/past-months.ts';
import { post, postingBetween } from '../../support/post.ts';

describe('months of deliveries', () => {
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
    await owner.query(
      'truncate outbox.event, webhooks.delivery, webhooks.attempt, webhooks.failure, webhooks.replayed',
    );
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
       insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac, url)
       values (gen_random_uuid(), 'PARTNER', '', '', '', 'https://shop.example/hook') returning id),
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
});

describe('the locks of months', () => {
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
});

describe('months beside claims', () => {
  const LOCK_NOT_AVAILABLE = '55P03';
  const MONTHS = 12;
  /** PostgreSQL's code, in whatever drizzle wraps it. */
  const codeOf = (error: unknown): unknown => {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    return code ?? cause?.code;
  };
  const ledger = useLedger();

  /** Only this month has its part in each table, as if workers had stood still for a year. */
  beforeEach(async () => {
    await makeMonthsAhead(ledger.pool);
    const { rows } = await ledger.pool.query<{ table: string; part: string }>(
      `select 'ledger.entry' as table, 'ledger.' || part as part from ledger.entry_parts() where starts_at > now()
     union all
     select t, split_part(t, '.', 1) || '.' || p.part
       from unnest(array['webhooks.attempt', 'webhooks.delivery', 'outbox.event']) t cross join lateral outbox.parts(t::regclass) p
      where p.starts_at > now()`,
    );
    for (const { table, part } of rows) {
      await ledger.pool.query(`alter table ${table} detach partition ${part}`);
      await ledger.pool.query(`drop table ${part}`);
    }
  });

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: ledger.pool.options.connectionString });
    await client.connect();
    return client;
  }

  it('a month is made under no lock that a claim comes to while it waits for one that the claim has', async () => {
    const claim = await connect();
    await eventually(async () => {
      await claim.query('begin');
      await claim.query('lock table webhooks.delivery in row exclusive mode');
      let isOver = false;
      const making = makeDeliveryMonths(ledger.db).finally(() => (isOver = true));
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%webhooks.make_months%' and datname = current_database()`;
      await eventually(async () => expect(isOver || (await ledger.pool.query(waits)).rowCount).toBeTruthy());
      const next = await claim
        .query('lock table webhooks.attempt in row exclusive mode nowait')
        .then(() => 'is free', String);
      await claim.query('rollback');
      expect([next, await making.catch(String)]).toEqual(['is free', 2 * MONTHS]);
    });
    await claim.end();
  });

  it('months are made while claims, results and postings go on all the time, and none of those fails for it', async () => {
    const book = await ledger.newBook(1_000_000n);
    const { rows } = await ledger.pool.query<{ id: string }>(
      `insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac, url)
     values ($1, 'PARTNER', '', '', '', 'https://shop.example/hook') returning id`,
      [book.partner],
    );
    expect(rows).toHaveLength(1);
    const done = { posted: 0, attempted: 0 };
    const over = new AbortController();
    const all = async (work: (time: number) => Promise<void>) => {
      for (let time = 0; !over.signal.aborted; time += 1) await work(time);
    };
    const postings = (one: number) =>
      all(async (time) => {
        const given = { owner: book.partner, partner: book.partner, reference: `posting-${one}-${time}` };
        await post(ledger.db, postingBetween(book.float, book.wallet, 1n, given));
        done.posted += 1;
      });
    // Each fails at first, so that the next claim writes of it as an earlier attempt.
    const claims = () =>
      all(async () => {
        const given = { limit: 5, perReceiver: 20, inFlight: new Map(), leaseMs: 60_000 };
        const { claimed } = await claimDeliveries(ledger.pool, given);
        const results = claimed.map(({ deliveryId, number }) => {
          const sent = { deliveryId, number, durationMs: 1, response: null };
          return number < 3
            ? { ...sent, status: 'PENDING' as const, retryInMs: 0, statusCode: 503, error: 'status 503' }
            : { ...sent, status: 'DELIVERED' as const, retryInMs: null, statusCode: 200, error: null };
        });
        await recordAttempts(ledger.pool, results, {
          rules: { tripAfter: 1_000_000, coolDownMs: 1, coolDownMaxMs: 1 },
        });
        done.attempted += results.length;
      });
    const going = Promise.all([postings(1), postings(2), claims(), claims(), claims()]);
    const failed: unknown[] = [];
    void going.catch((error: unknown) => failed.push(error));
    await eventually(() => expect(done.posted > 20 && done.attempted > 20).toBe(true));

    const made = { entries: 0, events: 0, deliveries: 0 };
    const others: unknown[] = [];
    const tryOnce = async (what: keyof typeof made, make: () => Promise<number>) => {
      try {
        made[what] += await make();
      } catch (error) {
        if (codeOf(error) !== LOCK_NOT_AVAILABLE) others.push(error); // else it has given up, and tries again
      }
    };
    await eventually(async () => {
      await tryOnce('entries', () => makeMonths(ledger.db));
      await tryOnce('events', () => makeEventMonths(ledger.db));
      await tryOnce('deliveries', () => makeDeliveryMonths(ledger.db));
      expect(made).toEqual({ entries: MONTHS, events: MONTHS, deliveries: 2 * MONTHS });
    });
    const before = { ...done };
    await eventually(() => expect(done.posted > before.posted && done.attempted > before.attempted).toBe(true));
    over.abort();
    await going;
    expect([...failed, ...others]).toEqual([]);
  });
});
