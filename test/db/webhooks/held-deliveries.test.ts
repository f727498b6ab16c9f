import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { pauseReceiver, releaseHeld, resumeReceiver, setWebhookUrl } from '#modules/webhooks';
import { type TestReceiver, useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox();
const TARGET = 'https://partner.example/hook';
/** Deliveries that a resume makes due itself. */
const AT_ONCE = 500;
beforeEach(() => outbox.pool.query('truncate outbox.receiver cascade'));

const deps = { transact: outbox.transact, clock: systemClock };
const pause = ({ ownerId }: TestReceiver) =>
  pauseReceiver(deps, { actor: 'test', by: 'OWNER', ownerId, reason: 'we move house' });
const resume = ({ ownerId }: TestReceiver) => resumeReceiver(deps, { actor: 'test', by: 'OPERATOR', ownerId });
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
      await outbox.db.transaction((other) => setWebhookUrl(other, { ownerId: receiver.ownerId, url: null }));
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
      `select sum(calls)::int as calls from pg_stat_user_functions
         where schemaname = 'webhooks' and funcname in ('first_due', 'due_under_lock')`,
    );
    expect(rows).toEqual([{ calls: 1 + owners.length }]);
  } finally {
    client.release(true);
  }
});
