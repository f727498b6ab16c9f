import { expect, it } from 'vitest';
import { createSharedReading } from '#lib/shared-reading.ts';
import { testClock } from '../../support/clock.ts';

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
