import { describe, expect, test } from 'vitest';
import { type Begun, COOL_MS, ended, oneOf, rules, useBreaker } from './breaker.ts';

const breaker = useBreaker();
const { at, emit, claim, record, breakerAt } = breaker;

/** Opens it again at `atMs`: its probe is delivered, and ten that follow fail. Answers for how long it waits then. */
async function relapse(atMs: number, between: (claimed: Begun[]) => Promise<unknown> = async () => undefined) {
  await emit(30);
  expect(await record(atMs, [ended(oneOf(await claim(atMs)), true)])).toMatchObject([{ change: 'CLOSED' }]);
  expect(await breakerAt(atMs)).toEqual({ state: 'CLOSED', failures: 0 });
  const { claimed } = await claim(atMs, 40);
  await between(claimed);
  const failures = claimed.splice(0, 10).map((one) => ended(one, false));
  expect(await record(atMs, failures)).toEqual([{ receiverId: breaker.receiver.id, change: 'OPENED' }]);
  const { until, failingSince } = await breakerAt(atMs);
  expect(failingSince).toEqual(at(atMs));
  return Number(until) - Number(at(atMs));
}

describe('the breaker of a receiver', () => {
  test('that answers its probe and fails whatever follows cools down for longer each time', async () => {
    await breaker.open();
    const pauses = [COOL_MS];
    for (let time = 1, atMs = 0; time <= 7; time += 1) {
      atMs += (pauses.at(-1) ?? Number.NaN) + 10;
      pauses.push(await relapse(atMs));
    }
    expect(pauses.map((ms) => ms / COOL_MS)).toEqual([1, 2, 4, 8, 16, 32, 32, 32]);
  });

  test('begins with the first cool-down again after a success that is no probe, or a long rest', async () => {
    await breaker.open();
    const afterSuccess = await relapse(COOL_MS, (claimed) =>
      record(
        COOL_MS,
        claimed.splice(0, 1).map((one) => ended(one, true)),
      ),
    );
    expect(afterSuccess).toBe(COOL_MS);
    await emit(20);
    const atMs = 2 * COOL_MS;
    await record(atMs, [ended(oneOf(await claim(atMs)), true)]);
    const later = atMs + rules.coolDownMaxMs + COOL_MS;
    const failures = (await claim(later, 20)).claimed.map((one) => ended(one, false));
    await record(later, failures);
    expect(await breakerAt(later)).toMatchObject({ state: 'OPEN', until: at(later + COOL_MS) });
  });
});
