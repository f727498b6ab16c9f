import type { Pool } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { breakerRules, claimDeliveries, purgeDeliveries, recordAttempts, watchReceivers } from '#modules/webhooks';
import { eventually } from '../../support/eventually.ts';
import { testLog } from '../../support/log.ts';
import { type TestReceiver, useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox();
let receiver: TestReceiver;
beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver = await outbox.newReceiver('https://partner.example/hook');
});

const ON = { replayFailed: true, wellAfterS: 0 };
const watch = (webhooks = ON) =>
  watchReceivers({ db: outbox.db, transact: outbox.transact, log: testLog().log, webhooks });
/** Once to note that it is well, once to do what follows from that. */
const watchTwice = async (webhooks = ON) => {
  await watch(webhooks);
  await watch(webhooks);
};

/** Ends what is due: delivered, or failed for the last time; or due again in a minute. */
async function end(how: 'DELIVERED' | 'FAILED' | 'PENDING', count: number): Promise<void> {
  let left = count;
  await eventually(async () => {
    const asked = { limit: left, perReceiver: left, inFlight: new Map(), leaseMs: 60_000 };
    const { claimed } = await claimDeliveries(outbox.pool, asked);
    const outcome = {
      status: how,
      retryInMs: how === 'PENDING' ? 60_000 : null,
      statusCode: how === 'DELIVERED' ? 200 : 503,
      error: how === 'DELIVERED' ? null : 'status 503',
      durationMs: 1,
      response: null,
    };
    const results = claimed.map(({ deliveryId, number }) => ({ deliveryId, number, ...outcome }));
    await recordAttempts(outbox.pool, results, { rules: breakerRules(1) });
    left -= claimed.length;
    expect(left).toBe(0);
  });
}
async function failed(count: number): Promise<string[]> {
  const references = await outbox.emitTo(receiver, count);
  await end('FAILED', count);
  return references;
}
async function succeed(): Promise<void> {
  await outbox.emitTo(receiver);
  await end('DELIVERED', 1);
}
/** Of each event its deliveries, the first one first: how they ended, and whether they go out again by themselves. */
async function deliveriesOf(references: readonly string[]): Promise<string[]> {
  const { rows } = await outbox.pool.query<{ told: string }>(
    `select string_agg(d.status || case when d.replay_of is null then '' else ' again' end, ', ' order by d.id) as told
       from outbox.event e join webhooks.delivery d on d.event_id = e.id where e.reference = any ($1)
      group by e.id order by e.id`,
    [references],
  );
  return rows.map(({ told }) => told);
}

describe('what FAILED', () => {
  test('goes out once more by a new delivery that names the old one, when its receiver is well', async () => {
    const references = await failed(3);
    await succeed();
    await watchTwice();
    expect(await deliveriesOf(references)).toEqual(Array(3).fill('FAILED, PENDING again'));
    const { rows } = await outbox.pool.query(
      `select old.status, old.attempts, old.event_id = new.event_id as same_event
         from webhooks.delivery new join webhooks.delivery old on old.id = new.replay_of`,
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ status: 'FAILED', attempts: 1, same_event: true })));
  });

  test('is never sent again by itself a second time, however often it fails', async () => {
    const references = await failed(2);
    await succeed();
    await watchTwice();
    for (let round = 0; round < 2; round++) {
      if (round === 0) await end('FAILED', 2);
      await succeed();
      await watchTwice();
    }
    expect(await deliveriesOf(references)).toEqual(Array(2).fill('FAILED, FAILED again'));
  });

  test('and was resent since is left to that', async () => {
    const references = await failed(2);
    await outbox.pool.query(
      `insert into webhooks.delivery (event_id, receiver_id, due_at)
       select event_id, receiver_id, now() from webhooks.delivery order by id limit 1`,
    );
    await end('DELIVERED', 1);
    await watchTwice();
    expect(await deliveriesOf(references)).toEqual(['FAILED, DELIVERED', 'FAILED, PENDING again']);
  });

  test('and is not kept any more is left', async () => {
    const references = await failed(1);
    const before = new Date(Date.now() + 60_000);
    await purgeDeliveries({ transact: outbox.transact }, { status: 'FAILED', before, limit: 10 });
    await succeed();
    await watchTwice();
    expect(await deliveriesOf(references)).toEqual(['FAILED']);
  });

  test('stays as it is where nothing is to go out by itself, also when that is changed later', async () => {
    const references = await failed(2);
    await succeed();
    await watchTwice({ ...ON, replayFailed: false });
    await watchTwice();
    expect(await deliveriesOf(references)).toEqual(['FAILED', 'FAILED']);
  });

  test('of a test event is left', async () => {
    const references = await outbox.emitTo(receiver, 1, 'webhook.test');
    await end('FAILED', 1);
    await succeed();
    await watchTwice();
    expect(await deliveriesOf(references)).toEqual(['FAILED']);
  });
});

describe('a receiver is not well', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['while its last attempt failed', async () => undefined],
    [
      'while a delivery waits for another attempt',
      async () => {
        await outbox.emitTo(receiver);
        await end('PENDING', 1);
        await succeed();
      },
    ],
    [
      'while it is paused',
      async () => {
        await succeed();
        await outbox.pool.query(
          `insert into webhooks.pause (receiver_id, paused_by, reason) select id, 'OWNER', '' from outbox.receiver`,
        );
      },
    ],
    [
      'before it has taken a delivery at its new URL',
      async () => {
        await succeed();
        await outbox.pool.query('delete from webhooks.breaker');
        await outbox.pool.query(`update outbox.receiver set updated_at = now() + interval '1 second'`);
      },
    ],
    [
      'for so long',
      async () => {
        await succeed();
        await watchTwice({ ...ON, wellAfterS: 3_600 });
      },
    ],
  ])('%s', async (name, given) => {
    const references = await failed(1);
    await given();
    await watchTwice(name === 'for so long' ? { ...ON, wellAfterS: 3_600 } : ON);
    expect(await deliveriesOf(references)).toEqual(['FAILED']);
  });

  test('once it fails again within that time', async () => {
    const references = await failed(1);
    await succeed();
    await watch();
    await failed(1);
    await watch();
    expect(await deliveriesOf(references)).toEqual(['FAILED']);
  });
});

test('a receiver that is well again is sent a hundred at a time, and no more while these wait', async () => {
  const references = await failed(230);
  await succeed();
  const again = async () => (await deliveriesOf(references)).filter((told) => told.endsWith('again')).length;
  await watchTwice();
  expect(await again()).toBe(100);
  await outbox.pool.query(
    `update webhooks.delivery set due_at = due_at - interval '2 seconds' where status = 'PENDING'`,
  );
  await watchTwice();
  expect(await again()).toBe(100);
  await end('DELIVERED', 100);
  await watch();
  expect(await again()).toBe(200);
});

test('of workers that race, each event is sent again once', async () => {
  const references = await failed(60);
  await succeed();
  await watch();
  await Promise.all(Array.from({ length: 6 }, () => watch()));
  expect(await deliveriesOf(references)).toEqual(Array(60).fill('FAILED, PENDING again'));
});

/** A delivery that brings the event of another one again, as servers make it. */
const replayIn = (client: Pick<Pool, 'query'>) =>
  client.query(
    `insert into webhooks.delivery (event_id, receiver_id, due_at, replay_of)
     select event_id, receiver_id, now(), id from webhooks.delivery
      where status = 'FAILED' and replay_of is null on conflict do nothing returning id`,
  );

test('the database itself makes no second delivery of an event that goes out again by itself', async () => {
  const references = await failed(1);
  await succeed();
  await watchTwice();
  expect((await replayIn(outbox.pool)).rows).toEqual([]);
  expect(await deliveriesOf(references)).toEqual(['FAILED, PENDING again']);
});

test.each(['commit', 'rollback'] as const)(
  'of two that replay an event at once, one makes a delivery: the second waits for the first to %s',
  async (how) => {
    await failed(1);
    const [first, second] = [await outbox.pool.connect(), await outbox.pool.connect()];
    await first.query('begin');
    expect((await replayIn(first)).rows).toHaveLength(1);
    const { rows } = await second.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waiting = replayIn(second);
    await eventually(async () => {
      const blocked = await outbox.pool.query('select from pg_locks where pid = $1 and not granted', [rows[0]?.pid]);
      expect(blocked.rowCount).toBe(1);
    });
    await first.query(how);
    expect((await waiting).rows).toHaveLength(how === 'commit' ? 0 : 1);
    const made = await outbox.pool.query('select from webhooks.delivery where replay_of is not null');
    expect(made.rowCount).toBe(1);
    for (const client of [first, second]) client.release();
  },
);

test('what failed and what brings its event again are forgotten together', async () => {
  await failed(1);
  const { rows } = await outbox.pool.query('select event_id as id from webhooks.delivery');
  await replayIn(outbox.pool);
  await outbox.pool.query(
    `update outbox.event set body = null, body_digest = sha256(convert_to(body, 'UTF8')) where id = $1`,
    [rows[0].id],
  );
  await outbox.pool.query(`update webhooks.delivery set purged_at = now() - interval '1 day' where event_id = $1`, [
    rows[0].id,
  ]);
  const forgotten = await outbox.pool.query('select webhooks.forget_deliveries(now(), 10) as deliveries');
  expect(forgotten.rows).toEqual([{ deliveries: 2 }]);
});
