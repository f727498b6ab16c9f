import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAcceptQueue } from '#http/accept-queue.ts';

/** Turns of the event loop of ten milliseconds, by a clock that only they move. */
function opened() {
  const clock = { ms: 0 };
  const queue = createAcceptQueue(() => clock.ms);
  const listener = {};
  const take = (from = listener): Socket => {
    const connection = new Socket();
    queue.takes(connection, from);
    return connection;
  };
  const turn = async () => {
    clock.ms += 10;
    await setImmediate();
  };
  return { clock, queue, take, turn };
}

it('says of a connection that it may have waited since one first came in each turn', async () => {
  const { queue, take, turn } = opened();
  expect(queue.waitedMs(take())).toBe(0);
  for (const waited of [10, 20, 30]) {
    await turn();
    expect(queue.waitedMs(take())).toBe(waited);
  }
});

it('says so once, for what comes later on it did not wait', async () => {
  const { queue, take, turn } = opened();
  take();
  await turn();
  const connection = take();
  expect(queue.waitedMs(connection)).toBe(10);
  expect(queue.waitedMs(connection)).toBe(0);
});

it('says nothing of a request that came long after its connection', async () => {
  const { clock, queue, take, turn } = opened();
  take();
  await turn();
  const connection = take();
  clock.ms += 20_000;
  expect(queue.waitedMs(connection)).toBe(0);
});

it('knows that nobody waited where none came in the turn before, whatever came to another listener', async () => {
  const { queue, take, turn } = opened();
  const other = {};
  take();
  take(other);
  await turn();
  take(other);
  await turn();
  expect(queue.waitedMs(take())).toBe(0);
  expect(queue.waitedMs(take(other))).toBe(20);
});
