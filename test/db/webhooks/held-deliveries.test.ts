import { pino } from 'pino';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { pauseReceiver, releaseHeld, resumeReceiver, room, setWebhookUrl } from '#modules/webhooks';
import { keyring, type TestReceiver, useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox();
const TARGET = 'https://partner.example/hook';
/** Deliveries that a resume makes due itself. */
const AT_ONCE = 500;

beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

const holding = { transact: outbox.transact, clock: systemClock };
const pause = ({ ownerId }: TestReceiver) =>
  pauseReceiver(holding, { actor: 'test', by: 'OWNER', ownerId, reason: 'we move house' });
const resume = ({ ownerId }: TestReceiver) => resumeReceiver(holding, { actor: 'test', by: 'OPERATOR', ownerId });
const waiting = async ({ id }: TestReceiver) => {
  const { rows } = await outbox.pool.query<{ due: number; held: number }>(
    `select count(due_at)::int as due, (count(*) - count(due_at))::int as held from webhooks.delivery
      where receiver_id = $1 and status = 'PENDING'`,
    [id],
  );
  return rows[0];
};
const pausedWith = async (held: number) => {
  const receiver = await outbox.newReceiver(TARGET);
  await pause(receiver);
  await outbox.emitTo(receiver, held);
  return receiver;
};

describe('a pause', () => {
  test('touches no delivery, however many wait: it need not wait for those that are being claimed or recorded', async () => {
    const receiver = await outbox.newReceiver(TARGET);
    await outbox.emitTo(receiver, 3);
    await outbox.db.transaction(async (tx) => {
      await tx.execute('select from webhooks.delivery for update');
      expect((await pause(receiver)).status).toBe('PAUSED');
      await outbox.db.transaction((other) => setWebhookUrl(other, keyring, { ownerId: receiver.ownerId, url: null }));
    });
    expect(await waiting(receiver)).toEqual({ due: 3, held: 0 });
  });
});

describe('a resume', () => {
  test('makes the oldest that were held due itself, and the rest is due after a few rounds', async () => {
    const receiver = await pausedWith(AT_ONCE + 150);
    expect(await waiting(receiver)).toEqual({ due: 0, held: AT_ONCE + 150 });
    await resume(receiver);
    expect(await waiting(receiver)).toEqual({ due: AT_ONCE, held: 150 });
    const { rows } = await outbox.pool.query(
      'select max(id::text) filter (where due_at is not null) < min(id::text) filter (where due_at is null) as "oldestFirst" from webhooks.delivery',
    );
    expect(rows).toEqual([{ oldestFirst: true }]);
    expect([await releaseHeld(outbox, 100), await releaseHeld(outbox, 100)]).toEqual([100, 50]);
    expect(await waiting(receiver)).toEqual({ due: AT_ONCE + 150, held: 0 });
    expect(await releaseHeld(outbox, 100)).toBe(0);
  });

  test('has what is emitted from then on sent at once, while the rest is still held', async () => {
    const receiver = await pausedWith(AT_ONCE + 1);
    await resume(receiver);
    await outbox.emitTo(receiver);
    expect(await waiting(receiver)).toEqual({ due: AT_ONCE + 1, held: 1 });
  });

  test('that is followed by another pause leaves the rest held, and the next one releases it', async () => {
    const receiver = await pausedWith(AT_ONCE + 20);
    await resume(receiver);
    await pause(receiver);
    expect(await releaseHeld(outbox, 100)).toBe(0);
    expect(await waiting(receiver)).toEqual({ due: AT_ONCE, held: 20 });
    await resume(receiver);
    expect(await waiting(receiver)).toEqual({ due: AT_ONCE + 20, held: 0 });
  });

  test('releases each once, by several processes at a time', async () => {
    const receiver = await pausedWith(AT_ONCE + 200);
    await resume(receiver);
    const released = await Promise.all(Array.from({ length: 6 }, () => releaseHeld(outbox, 50)));
    expect(released.reduce((sum, count) => sum + count)).toBe(200);
    expect(await waiting(receiver)).toEqual({ due: AT_ONCE + 200, held: 0 });
  });
});

test('nothing emitted while its receiver is paused and resumed again and again stays behind', async () => {
  const receiver = await outbox.newReceiver(TARGET);
  const emitted = Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let turn = 0; turn < 20; turn += 1) await outbox.emitTo(receiver, 2);
    }),
  );
  for (let turn = 0; turn < 15; turn += 1) {
    await pause(receiver);
    await resume(receiver);
  }
  await emitted;
  while ((await releaseHeld(outbox, 10)) > 0);
  expect(await waiting(receiver)).toEqual({ due: 240, held: 0 });
});

test('events of many receivers in one statement ask once about each that takes none now', async () => {
  const made = await Promise.all(Array.from({ length: 30 }, () => outbox.newReceiver(null)));
  const owners = made.map(({ ownerId }) => ownerId);
  const client = await outbox.pool.connect();
  const emitTo = async (ownerIds: readonly string[]) => {
    const { rows } = await client.query(
      `select outbox.emit_all(array(select row(null, o, 'wallet.credited', o::text, null, '{}', null, now(), null)::outbox.event
                                      from unnest($1::uuid[]) o)) as written`,
      [ownerIds],
    );
    expect(rows).toEqual([{ written: ownerIds.length }]);
  };
  try {
    await client.query(`set track_functions = 'pl'`);
    await emitTo(owners.slice(0, 1)); // what PostgreSQL plans for one event it keeps for many
    await emitTo(owners);
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query(
      `select calls::int from pg_stat_user_functions where schemaname = 'webhooks' and funcname = 'due_under_lock'`,
    );
    expect(rows).toEqual([{ calls: 1 + owners.length }]);
  } finally {
    client.release(true);
  }
});

const DAY_MS = 24 * 60 * 60 * 1000;
const DUE = 10;
/** More than one statement looks at. */
const PASSED_OVER = 5_001;

const webhooks = { retentionD: 30, failedRetentionD: 365, pendingRetentionD: 90, deliveryRetentionD: 365 };
/** A process of its own, with what it remembers. */
const aProcess = () => ({ ...outbox, db: Object.create(outbox.db), log: pino({ level: 'silent' }), webhooks });

/** What a run of the worker does of one step, until it says that this is all. @returns how many events went in each batch */
async function run(what: 'delivered' | 'failed', deps: ReturnType<typeof aProcess>, inDays = 0): Promise<number[]> {
  const forget = room.retention?.find(({ table }) => table === 'webhooks.attempt')?.forget?.[what];
  if (forget === undefined) throw new Error(`no step forgets what was ${what}`);
  const rows: number[] = [];
  for (let isAll = false; !isAll; ) {
    const forgotten = await forget(deps, new Date(Date.now() + inDays * DAY_MS));
    rows.push(forgotten.rows);
    ({ isAll } = forgotten);
    expect(rows.length).toBeLessThan(10);
  }
  return rows;
}

/** Events of one receiver, whose deliveries ended so, a millisecond after each other, so many days ago. */
async function ended(count: number, status: string, daysAgo: number): Promise<void> {
  await outbox.pool.query(
    `with receiver as (
       insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac, url)
       values (gen_random_uuid(), 'PARTNER', '', '', '', 'https://shop.example/hook') returning id)
     insert into outbox.event (receiver_id, event, reference, body)
     select id, 'wallet.credited', n, '{}' from receiver, generate_series(1, $1) n`,
    [count],
  );
  await outbox.pool.query(
    `with made as (select d.id, now() - make_interval(days => $2) + e.reference::int * interval '1 millisecond' as at
       from webhooks.delivery d join outbox.event e on e.id = d.event_id where d.status = 'PENDING')
     update webhooks.delivery d set id = uuidv7(at - now() - interval '1 day'), status = $1, due_at = null, attempts = 1,
            delivered_at = case when $1 = 'DELIVERED' then at end, updated_at = at
       from made where d.id = made.id`,
    [status, daysAgo],
  );
}

/** Of every event there is: another endpoint's delivery, which ended so, so many days ago. */
const alsoEnded = (status: string, daysAgo: number) =>
  outbox.pool.query(
    `insert into webhooks.delivery (id, event_id, receiver_id, status, attempts, delivered_at, created_at, updated_at)
     select uuidv7(make_interval(days => -$2::int)), event_id, gen_random_uuid(), $1, 1,
            case when $1 = 'DELIVERED' then now() - make_interval(days => $2) end, created_at, now() - make_interval(days => $2)
       from webhooks.delivery`,
    [status, daysAgo],
  );

describe('more than one statement looks at, which may not go yet,', () => {
  it('keep what failed behind them no longer than it may be kept, and are looked at again a day later', async () => {
    await ended(PASSED_OVER, 'FAILED', 370);
    await alsoEnded('DELIVERED', 280);
    await ended(DUE, 'FAILED', 368);
    const process = aProcess();
    expect(await run('failed', process)).toEqual([0, DUE]);
    expect(await run('failed', process, 0.5)).toEqual([0]);

    await outbox.pool.query(`delete from webhooks.delivery where status = 'DELIVERED' and event_id in
      (select event_id from webhooks.delivery where status = 'FAILED' order by id limit ${DUE})`);
    expect(await run('failed', process, 0.5)).toEqual([0]);
    expect(await run('failed', process, 1.1)).toEqual([DUE, 0]);
  });

  it('keep what was delivered behind them no longer than it may be kept', async () => {
    await ended(PASSED_OVER, 'DELIVERED', 35);
    await alsoEnded('FAILED', 33);
    await ended(DUE, 'DELIVERED', 32);
    expect(await run('delivered', aProcess())).toEqual([0, DUE]);
  });

  it('hold up nothing that failed where they were made long ago and ended late', async () => {
    await ended(PASSED_OVER, 'FAILED', 400);
    await outbox.pool.query(`update webhooks.delivery set updated_at = now() - interval '100 days'`);
    await ended(DUE, 'FAILED', 368);
    expect((await run('failed', aProcess())).reduce((sum, rows) => sum + rows)).toBe(DUE);
  });
});
