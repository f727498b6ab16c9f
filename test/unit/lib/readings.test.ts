import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type CacheBounds, createBoundedCache } from '#lib/postgres/caches.ts';
import { gather } from '#lib/postgres/gathered-reads.ts';
import { createSharedReading } from '../../../src/metrics/scrape.ts';
import { testClock } from '../../support/app.ts';

describe('a shared reading', () => {
  /** A reading that ends when it is told to. */
  function controlled() {
    const clock = testClock();
    clock.stop();
    const readings: PromiseWithResolvers<string>[] = [];
    const read = createSharedReading(() => {
      const reading = Promise.withResolvers<string>();
      readings.push(reading);
      return reading.promise;
    }, clock);
    return { clock, readings, read };
  }

  it('forty who ask at once share one reading', async () => {
    const { readings, read } = controlled();
    const asked = Array.from({ length: 40 }, () => read());
    expect(readings).toHaveLength(1);
    readings[0]?.resolve('first');
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['first']));
  });

  it('a reading stays good for a second, and then one more is made', async () => {
    const { clock, readings, read } = controlled();
    const first = read();
    readings[0]?.resolve('first');
    await first;
    clock.advance(999);
    expect(await read()).toBe('first');
    clock.advance(1);
    const second = read();
    readings[1]?.resolve('second');
    expect(await second).toBe('second');
    expect(readings).toHaveLength(2);
  });

  it('a reading that takes long is made for a tenth of the time at most', async () => {
    const { clock, readings, read } = controlled();
    const first = read();
    clock.advance(2_000);
    readings[0]?.resolve('slow');
    await first;
    clock.advance(17_999);
    expect(await read()).toBe('slow');
    clock.advance(1);
    void read();
    expect(readings).toHaveLength(2);
  });

  it('a reading that fails tells all who waited, and the next who asks tries again', async () => {
    const { readings, read } = controlled();
    const asked = [read(), read()];
    readings[0]?.reject(new Error('away'));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = read();
    readings[1]?.resolve('back');
    expect(await again).toBe('back');
  });

  it('a clock that was set back makes it stale, not good for ever', async () => {
    const { clock, readings, read } = controlled();
    const first = read();
    readings[0]?.resolve('first');
    await first;
    clock.advance(-3_600_000);
    void read();
    expect(readings).toHaveLength(2);
  });
});

describe('gathered reads', () => {
  /** Reads that end when they are told to. */
  function reading(readsMax?: number) {
    const begun: { asked: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
    const read = gather(async (asked: readonly string[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push({ asked, end: resolve, fail: reject });
      await promise;
      return asked.map((one) => `${one} of read ${begun.findIndex((of) => of.asked === asked) + 1}`);
    }, readsMax);
    return { read, begun, asked: () => begun.map((one) => one.asked) };
  }

  it('all who ask in one turn of the event loop share a read, and each has the answer to what it asked', async () => {
    const { read, begun, asked } = reading();
    const answers = Promise.all(['a', 'b', 'a'].map(read));
    await expect.poll(asked).toEqual([['a', 'b', 'a']]);
    begun[0]?.end();
    expect(await answers).toEqual(['a of read 1', 'b of read 1', 'a of read 1']);
  });

  it('whoever asks while as many as may be are under way gets the next one, with all others', async () => {
    const { read, begun, asked } = reading(1);
    const first = read('a');
    await expect.poll(asked).toEqual([['a']]);
    const others = ['a', 'b'].map(read);
    await setImmediate();
    expect(asked()).toEqual([['a']]);
    begun[0]?.end();
    expect(await first).toBe('a of read 1');
    await expect.poll(asked).toEqual([['a'], ['a', 'b']]);
    begun[1]?.end();
    expect(await Promise.all(others)).toEqual(['a of read 2', 'b of read 2']);
  });

  it('nothing is kept: a later one is read again', async () => {
    const { read, begun } = reading();
    for (const number of [1, 2]) {
      const answer = read('a');
      await expect.poll(() => begun.length).toBe(number);
      begun.at(-1)?.end();
      expect(await answer).toBe(`a of read ${number}`);
    }
  });

  it('a read that fails, fails for those who asked for it alone', async () => {
    const { read, begun } = reading(1);
    const first = read('a');
    await expect.poll(() => begun.length).toBe(1);
    const next = read('a');
    begun[0]?.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.end();
    expect(await next).toBe('a of read 2');
  });

  it('one read answers 128, and the next one the others', async () => {
    const { read, begun, asked } = reading();
    const answers = Array.from({ length: 200 }, (_, at) => read(`${at}`));
    await expect.poll(() => begun.length).toBe(2);
    expect(asked().map(({ length }) => length)).toEqual([128, 72]);
    for (const one of begun) one.end();
    expect((await Promise.all(answers)).slice(126, 130)).toEqual([
      '126 of read 1',
      '127 of read 1',
      '128 of read 2',
      '129 of read 2',
    ]);
  });
});

describe('a bounded cache', () => {
  interface Key {
    version: number;
    isActive: boolean;
  }

  /** A cache of a table that a test writes, whose reads end when they are told to, or at once. */
  function opened({ waits = false, bounds }: { waits?: boolean; bounds?: CacheBounds } = {}) {
    const clock = testClock();
    clock.stop();
    const table = new Map<string, Key>();
    const reads: { keys: string[]; end: PromiseWithResolvers<void> }[] = [];
    const cache = createBoundedCache<Key>(
      async (keys) => {
        const seen = new Map(keys.flatMap((key) => (table.has(key) ? [[key, table.get(key) as Key]] : [])));
        const end = Promise.withResolvers<void>();
        reads.push({ keys, end });
        if (waits) await end.promise;
        return seen;
      },
      clock,
      bounds,
    );
    const write = (key: string, version: number, isActive = true) => table.set(key, { version, isActive });
    const get = (key: string) => cache.get(key, ({ isActive }) => isActive);
    /** Whatever is asked for has been read, or is being read, after it. */
    const turn = async () => {
      for (let turns = 0; turns < 3; turns += 1) await setImmediate();
    };
    return { clock, cache, reads, write, get, turn, keysRead: () => reads.map(({ keys }) => keys) };
  }

  it('all who ask in one moment, for whatever keys, share one read', async () => {
    const { write, get, keysRead } = opened();
    write('a', 1);
    write('b', 2);
    const asked = await Promise.all(['a', 'b', 'a', 'nobody'].map(get));
    expect(asked.map((found) => found?.version)).toEqual([1, 2, 1, undefined]);
    expect(keysRead()).toEqual([['a', 'b', 'nobody']]);
  });

  it('what was read is good for less than a second, and read again beside the work before that', async () => {
    const { clock, write, get, turn, keysRead } = opened();
    write('a', 1);
    await get('a');
    write('a', 2);
    clock.advance(449);
    expect((await get('a'))?.version).toBe(1);
    await turn();
    expect(keysRead()).toHaveLength(1);
    clock.advance(1);
    expect((await get('a'))?.version).toBe(1);
    await turn();
    expect((await get('a'))?.version).toBe(2);
    expect(keysRead()).toHaveLength(2);
    write('a', 3);
    clock.advance(900);
    expect((await get('a'))?.version).toBe(3);
  });

  it('where a longer life is given, it is read again beside the work from half of it on', async () => {
    const { clock, write, get, turn, keysRead } = opened({ bounds: { lifeMs: 60_000, entriesMax: 2 } });
    write('a', 1);
    await get('a');
    write('a', 2);
    clock.advance(29_999);
    expect((await get('a'))?.version).toBe(1);
    await turn();
    expect(keysRead()).toHaveLength(1);
    clock.advance(1);
    await get('a');
    await turn();
    expect((await get('a'))?.version).toBe(2);
  });

  it('a read that takes long makes nothing good for longer, and a clock that is set back neither', async () => {
    const { clock, write, get, reads, turn } = opened({ waits: true });
    write('a', 1);
    const first = get('a');
    await turn();
    clock.advance(900);
    reads[0]?.end.resolve();
    expect((await first)?.version).toBe(1);
    write('a', 2);
    const second = get('a');
    await turn();
    reads[1]?.end.resolve();
    expect((await second)?.version).toBe(2);
    write('a', 3);
    clock.advance(-1);
    const third = get('a');
    await turn();
    reads[2]?.end.resolve();
    expect((await third)?.version).toBe(3);
  });

  it('nobody shares a read that is as old as what is held may not be', async () => {
    const { clock, write, get, reads, turn } = opened({ waits: true });
    write('a', 1);
    const first = get('a');
    await turn();
    write('a', 2, false);
    clock.advance(900);
    const second = get('a');
    await turn();
    for (const { end } of reads) end.resolve();
    expect((await first)?.version).toBe(1);
    expect((await second)?.version).toBe(2);
  });

  it('nor one that is so old when it is answered', async () => {
    const { clock, write, get, reads, turn } = opened({ waits: true });
    write('a', 1);
    const first = get('a');
    await turn();
    clock.advance(899);
    const second = get('a');
    await turn();
    expect(reads).toHaveLength(1);
    write('a', 2, false);
    clock.advance(1);
    reads[0]?.end.resolve();
    await first;
    await turn();
    reads[1]?.end.resolve();
    expect((await second)?.version).toBe(2);
  });

  it('nobody is refused from memory: what is not good, or not there, is read', async () => {
    const { write, get, keysRead } = opened();
    write('a', 1, false);
    expect((await get('a'))?.isActive).toBe(false);
    write('a', 2);
    expect((await get('a'))?.isActive).toBe(true);
    expect(await get('b')).toBeUndefined();
    write('b', 1);
    expect((await get('b'))?.version).toBe(1);
    expect(keysRead()).toHaveLength(4);
  });

  it('nor by a read that had begun before they asked', async () => {
    const { write, get, reads, turn } = opened({ waits: true });
    const before = get('a');
    await turn();
    write('a', 1);
    const after = get('a');
    reads[0]?.end.resolve();
    expect(await before).toBeUndefined();
    await turn();
    reads[1]?.end.resolve();
    expect((await after)?.version).toBe(1);
  });

  it('whoever asks after a change was told of gets none of what was read before it', async () => {
    const { cache, write, get, reads, turn } = opened({ waits: true });
    write('a', 1);
    const before = get('a');
    await turn();
    write('a', 2);
    cache.forget(['a']);
    const after = get('a');
    await turn();
    for (const { end } of reads) end.resolve();
    expect((await before)?.version).toBe(1);
    expect((await after)?.version).toBe(2);
    expect((await get('a'))?.version).toBe(2);
  });

  it('what is forgotten by its name is read again, and nothing else that was read with it', async () => {
    const { cache, write, get, reads, turn } = opened({ waits: true });
    write('a', 1);
    write('b', 1);
    const before = Promise.all([get('a'), get('b')]);
    await turn();
    write('a', 2);
    cache.forget(['a']);
    reads[0]?.end.resolve();
    await before;
    expect((await get('b'))?.version).toBe(1);
    expect(reads).toHaveLength(1);
    const after = get('a');
    await turn();
    reads[1]?.end.resolve();
    expect((await after)?.version).toBe(2);
    expect(reads.map(({ keys }) => keys)).toEqual([['a', 'b'], ['a']]);
  });

  it('holds so many, and drops what was read first', async () => {
    const { write, get, keysRead } = opened({ bounds: { lifeMs: 60_000, entriesMax: 2 } });
    for (const key of ['a', 'b', 'c']) write(key, 1);
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) expect((await get(key))?.version).toBe(1);
    expect(keysRead()).toEqual([['a'], ['b'], ['c'], ['a']]);
  });

  it('what is expected is read at once, with what others ask for, and serves whoever asks for it', async () => {
    const { cache, write, get, turn, keysRead } = opened();
    write('a', 1);
    write('b', 1);
    cache.expect('a');
    cache.expect('a');
    cache.expect('nobody');
    await Promise.all([get('b'), get('a')]);
    cache.expect('a');
    await turn();
    expect((await get('a'))?.version).toBe(1);
    expect(keysRead()).toEqual([['a', 'nobody', 'b']]);
  });

  it('forgets what is named, or everything', async () => {
    const { cache, write, get, keysRead } = opened();
    write('a', 1);
    write('b', 1);
    await Promise.all([get('a'), get('b')]);
    cache.forget(['a']);
    await Promise.all([get('a'), get('b')]);
    cache.forget();
    await Promise.all([get('a'), get('b')]);
    expect(keysRead()).toEqual([['a', 'b'], ['a'], ['a', 'b']]);
  });

  it('holds a bounded number, and reads a bounded number at once', async () => {
    const { write, get, keysRead } = opened();
    const keys = Array.from({ length: 10_001 }, (_, at) => `key ${at}`);
    for (const key of keys) write(key, 1);
    await Promise.all(keys.map(get));
    expect(Math.max(...keysRead().map(({ length }) => length))).toBe(256);
    const before = keysRead().length;
    await get('key 10000');
    expect(keysRead()).toHaveLength(before);
    await get('key 0');
    expect(keysRead()).toHaveLength(before + 1);
  });

  it('a read that fails is told to all who wait for it, and the next one is made', async () => {
    let fails = true;
    const clock = testClock();
    const cache = createBoundedCache<Key>(async (keys) => {
      if (fails) throw new Error('down');
      return new Map(keys.map((key) => [key, { version: 1, isActive: true }]));
    }, clock);
    const get = (key: string) => cache.get(key, () => true);
    const asked = await Promise.allSettled([get('a'), get('b')]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect((await get('a'))?.version).toBe(1);
  });
});
