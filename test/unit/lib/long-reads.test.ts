import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '#lib/database.ts';
import { createLongReads } from '#lib/long-reads.ts';

const db = {} as Database;

afterEach(() => {
  vi.useRealTimers();
});

/** A read that ends when it is told to. */
function held() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end: () => end(), read: async () => ended };
}

test('a caller reads one at a time, and others meanwhile: whatever one of them waits for, nobody else does', async () => {
  const readLong = createLongReads(async (read) => read(db), 3);
  const begun: string[] = [];
  const [first, other] = [held(), held()];
  const of = (name: string, read: () => Promise<void>) => async () => {
    begun.push(name);
    return read();
  };
  const reads = [
    readLong('a', of('a1', first.read)),
    readLong(
      'a',
      of('a2', async () => undefined),
    ),
    readLong('b', of('b1', other.read)),
    readLong(
      'c',
      of('c1', async () => undefined),
    ),
  ];
  await reads[3];
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  first.end();
  await reads[1];
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  other.end();
  await Promise.all(reads);
});

test('a caller whose reads wait for each other leaves as much time between them as the last one took, and has its answer at once', async () => {
  vi.useFakeTimers();
  const readLong = createLongReads(async (read) => read(db), 3);
  const begun: string[] = [];
  const takes = (ms: number, name: string) => async () => {
    begun.push(name);
    await vi.advanceTimersByTimeAsync(ms);
    return name;
  };
  const reads = [readLong('a', takes(40, 'a1')), readLong('a', takes(10, 'a2'))];
  await expect(reads[0]).resolves.toBe('a1');
  await vi.advanceTimersByTimeAsync(39);
  expect(begun).toEqual(['a1']);
  await expect(readLong('b', takes(0, 'b1'))).resolves.toBe('b1');
  await vi.advanceTimersByTimeAsync(1);
  await expect(reads[1]).resolves.toBe('a2');

  await expect(readLong('a', takes(0, 'a3'))).resolves.toBe('a3'); // nothing waited behind the last one: there is no rest after it
});

test('of one caller three hundred wait, and one more is told to come again; another caller is not', async () => {
  const readLong = createLongReads(async (read) => read(db), 3);
  const { end, read } = held();
  const waiting = Array.from({ length: 301 }, async () => readLong('a', read));
  await expect(readLong('a', read)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 });
  await expect(readLong('b', async () => 'read')).resolves.toBe('read');
  end();
  await Promise.all(waiting);
  await expect(readLong('a', async () => 'read')).resolves.toBe('read');
});

test('a read that was cancelled because it took too long says so, and when to come again', async () => {
  const readLong = createLongReads(async (read) => read(db), 3);
  const cancelled = new Error('query failed', {
    cause: Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
  });
  await expect(
    readLong('a', async () => {
      throw cancelled;
    }),
  ).rejects.toMatchObject({ code: 'BUSY', message: expect.stringContaining('too long'), retryAfterS: 5 });
  const other = new Error('something else');
  await expect(
    readLong('a', async () => {
      throw other;
    }),
  ).rejects.toBe(other);
});
