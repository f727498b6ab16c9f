import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { makeMonths, measureLedger } from '#modules/ledger';
import { makeEventMonths } from '#modules/outbox';
import { makeDeliveryMonths, measureMonthsAhead } from '#modules/webhooks';
import { asServer, useDatabase } from '../../support/database.ts';
import { useLedger } from '../../support/ledger.ts';
import { makeMonthsAhead } from '../../support/past-months.ts';
import { post, postingBetween } from '../../support/post.ts';

describe('months of the ledger', () => {
  const ledger = useLedger();
  const database = useDatabase();

  /** The last moment of this month in Lagos, which is an hour ahead of UTC all year. */
  function lastMoment(): Date {
    const lagos = new Date(Date.now() + 3_600_000);
    return new Date(Date.UTC(lagos.getUTCFullYear(), lagos.getUTCMonth() + 1, 1) - 3_600_001);
  }
  const partOf = (at: Date): string =>
    `entry_${new Date(at.getTime() + 3_600_000).toISOString().slice(0, 7).replace('-', '_')}`;

  it('at the turn of a month in Lagos a posting goes into the part of its month, and reads as one history', async () => {
    const book = await ledger.newBook(100n);
    const last = lastMoment();
    const first = new Date(last.getTime() + 1);
    for (const [at, now] of [last, first].entries()) {
      const named = { owner: book.partner, partner: book.partner, reference: `turn-${at}` };
      await post(ledger.db, postingBetween(book.float, book.wallet, 5n, named), now);
    }
    const { rows } = await ledger.pool.query(
      'select version, closing, tableoid::regclass::text as part from ledger.entry where account_id = $1 order by version',
      [book.wallet],
    );
    expect(rows).toEqual([
      { version: '1', closing: '5', part: `ledger.${partOf(last)}` },
      { version: '2', closing: '10', part: `ledger.${partOf(first)}` },
    ]);
  });

  it('what is dated before the first month is taken too', async () => {
    const book = await ledger.newBook();
    const named = { owner: book.partner, partner: book.partner, reference: 'long-ago' };
    const at = new Date('2019-05-01');
    const wallet = await ledger.newWallet(book.partner);
    await post(ledger.db, postingBetween(1, wallet, 5n, named), at);
    expect(await ledger.balance(wallet)).toBe(5n);
  });

  it('months that are missing are made once by servers that do so at once, with the keys and triggers of all others', async () => {
    const owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await makeMonthsAhead(owner);
    const parts = async () => (await owner.query('select * from ledger.entry_parts() order by starts_at')).rows;
    const all = await parts();
    expect(all).toHaveLength(14);
    for (const [at, { ends_at }] of all.slice(0, -1).entries()) expect(all[at + 1].starts_at).toEqual(ends_at);
    for (const { part } of all.slice(-3)) await owner.query(`drop table ledger.${part}`);
    const handle = openDatabase(asServer(database.ownerUrl), 4, () => {});
    expect((await measureLedger(handle.db)).monthsAhead).toBe(9);
    const made = await Promise.all(Array.from({ length: 4 }, () => makeMonths(handle.db)));
    expect(made.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3]);
    expect(await parts()).toEqual(all);
    const { rows: kinds } = await owner.query(`
    select count(distinct c.conrelid)::int as parts, c.contype, pg_get_constraintdef(c.oid) as definition from pg_constraint c
      join pg_inherits i on i.inhrelid = c.conrelid and i.inhparent = 'ledger.entry'::regclass group by 2, 3`);
    expect(kinds.filter(({ parts: having }) => having !== 14)).toEqual([]);
    await handle.close();
    await owner.end();
  });

  it('what another process is at is left to it, and is no failure', async () => {
    const other = new Client({ connectionString: database.ownerUrl });
    await other.connect();
    // Statistics of all parts are to be made anew.
    await other.query(`select pg_stat_reset_single_table_counters('ledger.entry'::regclass)`);
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock('ledger.entry'::regclass::oid::bigint)`);
    await other.query('lock table ledger.entry in share update exclusive mode');
    const handle = openDatabase(asServer(database.ownerUrl), 1, () => {});
    expect(await makeMonths(handle.db)).toBe(0);
    await handle.close();
    await other.end();
  });

  it('making months gives up where somebody writes to the books for long, and keeps no posting waiting then', async () => {
    await makeMonthsAhead(ledger.pool);
    const busy = await ledger.pool.connect();
    const [{ part }] = (await busy.query('select part from ledger.entry_parts() order by starts_at desc limit 1')).rows;
    await busy.query(`drop table ledger.${part}`);
    const book = await ledger.newBook(100n);
    await busy.query('begin');
    await busy.query('update ledger.account set updated_at = now() where id = $1', [
      await ledger.newWallet(book.partner),
    ]);
    await expect(makeMonths(ledger.db)).rejects.toMatchObject({ cause: { code: '55P03' } });
    const named = { owner: book.partner, partner: book.partner, reference: 'meanwhile' };
    await post(ledger.db, postingBetween(book.float, book.wallet, 5n, named));
    await busy.query('rollback');
    busy.release();
    expect(await makeMonths(ledger.db)).toBe(1);
  });
});

describe('months of the outbox', () => {
  const database = useDatabase();
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: database.ownerUrl });
    await client.connect();
    return client;
  };
  let owner: Client;

  beforeAll(async () => {
    owner = await connect();
    await makeMonthsAhead(owner);
    return () => owner.end();
  });

  const partsOf = async (table: string): Promise<{ part: string; starts_at: Date; ends_at: Date }[]> =>
    (await owner.query(`select * from outbox.parts('${table}') order by starts_at`)).rows;

  /** A partner's receiver with a URL, so that each event has a delivery. */
  const newReceiver = async (): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac, url)
     values (gen_random_uuid(), 'PARTNER', '', '', '', 'https://shop.example/hook') returning id`,
    );
    return rows[0]?.id ?? '';
  };
  /** An event written so many days from now, as its id says. */
  const eventIn = (receiver: string, days: number) =>
    owner.query<{ id: string; part: string }>(
      `insert into outbox.event (id, receiver_id, event, reference, body)
     values (uuidv7(make_interval(days => $2)), $1, 'wallet.credited', 'PW-1', '{}') returning id, tableoid::regclass::text as part`,
      [receiver, days],
    );
  /** Of the month that it is in Lagos so many days from now. */
  const monthIn = (days: number): string =>
    new Date(Date.now() + 3_600_000 + days * 86_400_000).toISOString().slice(0, 7).replace('-', '_');

  it('months ahead are counted whichever way PostgreSQL finds the parts, among those of other tables', async () => {
    const handle = openDatabase(asServer(database.ownerUrl), 1, () => {});
    for (const without of ['nestloop', 'hashjoin', 'mergejoin']) {
      const counted = handle.db.transaction(async (tx) => {
        await tx.execute(`set local enable_${without} = off`);
        return measureMonthsAhead(tx);
      });
      expect([without, await counted]).toEqual([without, 12]);
    }
    await handle.close();
  });

  it.each([
    ['outbox.event', makeEventMonths],
    ['webhooks.delivery', makeDeliveryMonths],
    ['webhooks.attempt', makeDeliveryMonths],
  ] as const)(
    'months of %s that are missing are made once by servers that do so at once, with all that the others have',
    async (table, make) => {
      const all = await partsOf(table);
      expect(all).toHaveLength(14);
      for (const [at, { ends_at }] of all.slice(0, -1).entries()) expect(all[at + 1]?.starts_at).toEqual(ends_at);
      for (const { part } of all.slice(-3)) {
        await owner.query(`alter table ${table} detach partition ${table.split('.')[0]}.${part}`);
        await owner.query(`drop table ${table.split('.')[0]}.${part}`);
      }
      const handle = openDatabase(asServer(database.ownerUrl), 4, () => {});
      expect(await measureMonthsAhead(handle.db)).toBe(9);
      const made = await Promise.all(Array.from({ length: 4 }, () => make(handle.db)));
      expect(made.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3]);
      expect(await measureMonthsAhead(handle.db)).toBe(12);
      expect(await partsOf(table)).toEqual(all);
      const { rows } = await owner.query(
        `select what, definition, count(*)::int as parts from (
       select inhrelid as part from pg_inherits where inhparent = $1::regclass) p
       cross join lateral (
         select 'constraint' as what, pg_get_constraintdef(c.oid) as definition from pg_constraint c where c.conrelid = p.part and c.contype <> 'n'
         union all
         select 'index', regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') from pg_index i where i.indrelid = p.part
         union all
         select 'trigger', regexp_replace(pg_get_triggerdef(t.oid), ' ON .* FOR EACH ', ' ') from pg_trigger t where t.tgrelid = p.part and not t.tgisinternal) d
     group by 1, 2`,
        [table],
      );
      expect(rows.length).toBeGreaterThan(2);
      expect(rows.filter(({ parts }) => parts !== 14)).toEqual([]);
      await handle.close();
    },
  );

  it('an event and its delivery are written into the part of their month, and found by their ids whatever it is', async () => {
    const receiver = await newReceiver();
    for (const days of [0, 70, 250]) {
      const { rows } = await eventIn(receiver, days);
      expect(rows).toEqual([{ id: expect.any(String), part: `outbox.event_${monthIn(days)}` }]);
      const found = await owner.query(
        'select e.reference from webhooks.delivery d join outbox.event e on e.id = d.event_id where e.id = $1',
        [rows[0]?.id],
      );
      expect(found.rows).toEqual([{ reference: 'PW-1' }]);
    }
    const old = await eventIn(receiver, -400);
    expect(old.rows[0]?.part).toBe('outbox.event_before');
  });

  it('an event of a month without a part is refused, and nothing of it is written', async () => {
    const receiver = await newReceiver();
    await expect(eventIn(receiver, 800)).rejects.toMatchObject({ code: '23514', table: 'event' });
    const { rows } = await owner.query('select from webhooks.delivery where receiver_id = $1', [receiver]);
    expect(rows).toEqual([]);
  });

  it('an event in whatever part is not changed, but for its body, and never goes', async () => {
    const receiver = await newReceiver();
    for (const days of [-400, 0, 70]) {
      const { rows } = await eventIn(receiver, days);
      const id = rows[0]?.id;
      for (const change of [`update outbox.event set reference = 'PW-2'`, 'delete from outbox.event']) {
        await expect(owner.query(`${change} where id = $1`, [id])).rejects.toThrow('never changed or deleted');
      }
      const purged = await owner.query(
        `update outbox.event set body = null, body_digest = sha256('{}') where id = $1`,
        [id],
      );
      expect(purged.rowCount).toBe(1);
    }
  });

  it('what another process is at is left to it, and is no failure', async () => {
    const other = await connect();
    // Statistics of all parts are to be made anew.
    await other.query(`select pg_stat_reset_single_table_counters('outbox.event'::regclass)`);
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock('outbox.event'::regclass::oid::bigint)`);
    await other.query('lock table outbox.event in share update exclusive mode');
    const handle = openDatabase(asServer(database.ownerUrl), 1, () => {});
    expect(await makeEventMonths(handle.db)).toBe(0);
    await handle.close();
    await other.end();
  });

  it('making months gives up where somebody delivers for long, and keeps no event waiting then', async () => {
    const busy = await connect();
    const [{ part } = { part: '' }] = (await partsOf('outbox.event')).slice(-1);
    await owner.query(`alter table outbox.event detach partition outbox.${part}`);
    await owner.query(`drop table outbox.${part}`);
    const receiver = await newReceiver();
    await busy.query('begin');
    await busy.query('lock table webhooks.delivery in row exclusive mode');
    const handle = openDatabase(asServer(database.ownerUrl), 1, () => {});
    await expect(makeEventMonths(handle.db)).rejects.toMatchObject({ code: '55P03' });
    expect((await eventIn(receiver, 0)).rowCount).toBe(1);
    await busy.query('rollback');
    expect(await makeEventMonths(handle.db)).toBe(1);
    await handle.close();
    await busy.end();
  });

  it('a process that is killed while it makes months leaves none of them half made, and the next one makes them', async () => {
    const [first, second] = (await partsOf('outbox.event')).slice(-2);
    for (const { part } of [first, second].filter((one) => one !== undefined)) {
      await owner.query(`alter table outbox.event detach partition outbox.${part}`);
      await owner.query(`drop table outbox.${part}`);
    }
    const killed = await connect();
    killed.on('error', () => undefined);
    const { rows } = await killed.query('select pg_backend_pid() as pid');
    await killed.query('begin');
    await killed.query('select outbox.make_months()');
    await owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    const handle = openDatabase(asServer(database.ownerUrl), 1, () => {});
    await expect.poll(() => makeEventMonths(handle.db)).toBe(2);
    expect((await partsOf('outbox.event')).slice(-2)).toEqual([first, second]);
    await handle.close();
  });
});
