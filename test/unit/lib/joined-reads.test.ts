import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createJoinedReads } from '#lib/joined-reads.ts';

/** Readings that end when they are told to. */
function reading() {
  const begun: { key: string; end: (value: number) => void; fail: (error: Error) => void }[] = [];
  const read = createJoinedReads((key) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    begun.push({ key, end: resolve, fail: reject });
    return promise;
  });
  return { read, begun };
}

it('whoever asks while a reading runs gets the next one, with all others', async () => {
  const { read, begun } = reading();
  const first = read('a');
  const others = [read('a'), read('a'), read('a')];
  expect(begun).toHaveLength(1);
  begun[0]?.end(1);
  expect(await first).toBe(1);
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end(2);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
});

it('those who share a reading go on one in each turn of the event loop', async () => {
  const { read, begun } = reading();
  const first = read('a');
  let turn = 0;
  const turns: number[] = [];
  const others = Array.from({ length: 5 }, async () => {
    await read('a');
    turns.push(turn);
  });
  begun[0]?.end(1);
  await first;
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end(2);
  for (; turns.length < others.length; turn += 1) await setImmediate();
  expect(new Set(turns).size).toBe(others.length);
});

it('nothing is kept: a later one reads anew', async () => {
  const { read, begun } = reading();
  for (const value of [1, 2]) {
    const asked = read('a');
    begun.at(-1)?.end(value);
    expect(await asked).toBe(value);
  }
});

it('nobody waits for the reading of something else', async () => {
  const { read, begun } = reading();
  const hung = read('a');
  const other = read('b');
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
  begun[1]?.end(2);
  expect(await other).toBe(2);
  begun[0]?.end(1);
  await hung;
});

it('a reading that fails fails for those who asked for it alone', async () => {
  const { read, begun } = reading();
  const [first, next] = [read('a'), read('a')];
  begun[0]?.fail(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end(2);
  expect(await next).toBe(2);
});
