import { Client } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { makeMonths } from '#modules/ledger';
import { makeEventMonths } from '#modules/outbox';
import { claimDeliveries, makeDeliveryMonths, recordAttempts } from '#modules/webhooks';
import { eventually } from '../../support/eventually.ts';
import { useLedger } from '../../support/ledger.ts';
import { makeMonthsAhead } from '../../support/months-ahead.ts';
import { post } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

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
    `insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, url)
     values ($1, 'PARTNER', '', '', 'https://shop.example/hook') returning id`,
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
      await recordAttempts(ledger.pool, results, { rules: { tripAfter: 1_000_000, coolDownMs: 1, coolDownMaxMs: 1 } });
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
