import { expect, it } from 'vitest';
import { createWrongCredentialsLimit } from '#http/limit-wrong-credentials.ts';

function opened() {
  const clock = { ms: 0 };
  const limit = createWrongCredentialsLimit(() => clock.ms);
  /** How many of so many are looked at. */
  const lookedAt = (count: number) =>
    Array.from({ length: count }, () => limit.isOneTooMany()).filter((is) => !is).length;
  return { clock, limit, lookedAt };
}

it('looks at a thousand wrong credentials at once, and at five hundred in each second', () => {
  const { clock, lookedAt } = opened();
  expect(lookedAt(5000)).toBe(1000);
  clock.ms += 1000;
  expect(lookedAt(5000)).toBe(500);
  clock.ms += 10;
  expect(lookedAt(5000)).toBe(5);
  clock.ms += 3_600_000;
  expect(lookedAt(5000)).toBe(1000);
});

it('looks at all that are right', () => {
  const { clock, limit, lookedAt } = opened();
  for (let turn = 0; turn < 100; turn += 1) {
    expect(lookedAt(1000)).toBe(1000);
    for (let n = 0; n < 1000; n += 1) limit.wereRight();
    clock.ms += 1;
  }
  expect(lookedAt(5000)).toBe(1000);
});
