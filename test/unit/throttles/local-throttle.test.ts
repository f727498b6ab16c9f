import { expect, it } from 'vitest';
import { createLocalThrottle } from '#modules/throttles';

const frozen = () => {
  let now = 1_000_000;
  return { now: () => new Date(now), advance: (ms: number) => void (now += ms) };
};
const limit = { name: 'calls', points: 3, windowS: 1 };

it('lets as much through in each second as the limit has points, to each key', () => {
  const clock = frozen();
  const throttle = createLocalThrottle(limit, clock);
  for (const key of ['a', 'b', 'a', 'b', 'a', 'b']) throttle.take(key);
  expect(() => throttle.take('a')).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfterS: 1 }));
  clock.advance(1000);
  throttle.take('a', 20);
  expect(() => throttle.take('a')).toThrow(/too many calls/);
  throttle.take('b');
});

it('remembers a hundred thousand keys and not more', () => {
  const throttle = createLocalThrottle({ ...limit, points: 1 }, frozen());
  throttle.take('first');
  throttle.take('second');
  for (let n = 0; n < 99_999; n++) throttle.take(`key ${n}`);
  throttle.take('first'); // forgotten, so counted from zero; that forgets the second
  expect(() => throttle.take('key 99998')).toThrow('too many calls');
});

it('a limit of nothing is off', () => {
  const throttle = createLocalThrottle({ ...limit, points: 0 }, frozen());
  expect(() => {
    for (let n = 0; n < 10; n++) throttle.take('a');
  }).not.toThrow();
});
