import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AttemptResult,
  breakerRules,
  type ClaimedDelivery,
  claimDeliveries,
  getReceiver,
  pauseReceiver,
  recordAttempts,
  resumeReceiver,
  setWebhookUrl,
} from '#modules/webhooks';
import { keyring, type TestOutbox, type TestReceiver, useOutbox } from '../../support/outbox.ts';

const TARGET = 'https://partner.example/hook';
const COOL_MS = 1_000;
const LEASE_MS = 60_000;
const rules = breakerRules(COOL_MS);

/** An attempt that has begun. */
type Begun = Pick<AttemptResult, 'deliveryId' | 'number'>;

/** How it ended; a failure is due again at once. */
const ended = ({ deliveryId, number }: Begun, delivered: boolean, askedMs = 0): AttemptResult => ({
  deliveryId,
  number,
  status: delivered ? 'DELIVERED' : 'PENDING',
  retryInMs: delivered ? null : 0,
  askedMs,
  statusCode: delivered ? 200 : 503,
  durationMs: 1,
  error: delivered ? null : 'status 503',
  response: null,
});

/** The only one of a claim. */
function oneOf({ claimed }: { claimed: readonly ClaimedDelivery[] }): Begun {
  const [only] = claimed;
  if (only === undefined || claimed.length !== 1) throw new Error(`${claimed.length} were claimed, not one`);
  return only;
}

/** One receiver for each test, in an outbox of its own, and what is done to it at moments that are counted from `start`. */
function useBreaker() {
  const outbox: TestOutbox = useOutbox();
  /** An hour ahead, so that it lies after whatever was emitted before. */
  const start = Date.now() + 3_600_000;
  let receiver: TestReceiver;
  beforeEach(async () => {
    await outbox.pool.query('truncate outbox.receiver cascade');
    receiver = await outbox.newReceiver(TARGET);
  });
  const at = (atMs: number) => new Date(start + atMs);

  const steps = {
    outbox,
    at,
    get receiver() {
      return receiver;
    },
    emit: (count: number) => outbox.emitTo(receiver, count),
    claim: (atMs: number, limit = 500) =>
      claimDeliveries(outbox.pool, {
        limit,
        perReceiver: limit,
        inFlight: new Map(),
        leaseMs: LEASE_MS,
        now: at(atMs),
      }),
    record: (atMs: number, outcomes: AttemptResult[]) =>
      recordAttempts(outbox.pool, outcomes, { rules, now: at(atMs) }),
    breakerAt: async (atMs: number) =>
      (await getReceiver(outbox.db, receiver.ownerId, { now: () => at(atMs) })).breaker,
    /** Opens it at 0, by ten of thirty events. */
    async open() {
      await steps.emit(30);
      const { claimed } = await steps.claim(0, 20);
      const changes = await steps.record(
        0,
        claimed.map((one) => ended(one, false)),
      );
      if (claimed.length !== 10 || changes[0]?.change !== 'OPENED') throw new Error('it did not open');
    },
  };
  return steps;
}

const breaker = useBreaker();
const { outbox, at, emit, claim, record, breakerAt } = breaker;
const attempts = async () => {
  const { rows } = await outbox.pool.query<{ count: number }>(
    'select sum(attempts)::int as count from webhooks.delivery',
  );
  return rows[0]?.count;
};

describe('the breaker of a receiver', () => {
  test('opens at the tenth failure in a row: one event by its own five attempts never opens it', async () => {
    await emit(2);
    for (let failure = 1; failure <= 9; failure += 1) {
      const [claimed] = (await claim(failure, 1)).claimed;
      if (claimed === undefined) throw new Error('nothing was claimed');
      expect(await record(failure, [ended(claimed, false)])).toEqual([]);
      expect(await breakerAt(failure)).toMatchObject({ state: 'CLOSED', failures: failure });
    }
    const last = oneOf(await claim(10, 1));
    expect(await record(10, [ended(last, false)])).toEqual([{ receiverId: breaker.receiver.id, change: 'OPENED' }]);
    expect(await breakerAt(10)).toMatchObject({ state: 'OPEN', failures: 10, until: at(10 + COOL_MS) });
  });

  test('stays closed when a success comes in between', async () => {
    await emit(30);
    const { claimed } = await claim(0, 40);
    const [good, ...bad] = claimed;
    if (good === undefined) throw new Error('nothing was claimed');
    await record(
      0,
      bad.slice(0, 9).map((one) => ended(one, false)),
    );
    await record(0, [ended(good, true)]);
    await record(
      0,
      bad.slice(9, 18).map((one) => ended(one, false)),
    );
    expect(await breakerAt(0)).toMatchObject({ state: 'CLOSED', failures: 9 });
  });

  /** From the first opening on: at which moment, what is claimed, and how that ends. */
  const walk = [
    { atMs: COOL_MS - 1, taken: 0, state: 'OPEN' },
    { atMs: COOL_MS, taken: 1, state: 'HALF_OPEN', delivered: false, next: 'OPEN', coolMs: 2 * COOL_MS },
    { atMs: 3 * COOL_MS - 1, taken: 0, state: 'OPEN' },
    { atMs: 3 * COOL_MS, taken: 1, state: 'HALF_OPEN', delivered: false, next: 'OPEN', coolMs: 4 * COOL_MS },
    { atMs: 7 * COOL_MS, taken: 1, state: 'HALF_OPEN', delivered: true, next: 'CLOSED' },
    { atMs: 7 * COOL_MS, taken: 29, state: 'CLOSED' },
  ] as const;

  test('walks open, half open, open for longer, half open, closed: and waiting costs no attempt', async () => {
    await breaker.open();
    let begun = 10;
    for (const { atMs, taken, state, ...end } of walk) {
      expect(await breakerAt(atMs)).toMatchObject({ state });
      const claimed = await claim(atMs);
      begun += taken;
      expect(claimed.claimed).toHaveLength(taken);
      expect(claimed.exhausted).toEqual([]);
      expect(await attempts()).toBe(begun);
      if (!('next' in end)) continue;
      expect((await claim(atMs)).claimed, 'a second probe').toEqual([]);
      await record(atMs, [ended(oneOf(claimed), end.delivered)]);
      expect(await breakerAt(atMs)).toMatchObject({
        state: end.next,
        ...('coolMs' in end ? { until: at(atMs + end.coolMs) } : {}),
      });
    }
  });

  test('cools down for 32 times the first time at most', async () => {
    await breaker.open();
    let atMs = 0;
    const pauses: number[] = [];
    for (let probe = 0; probe < 8; probe += 1) {
      const { until } = await breakerAt(atMs);
      pauses.push(Number(until) - Number(at(atMs)));
      atMs = Number(until) - Number(at(0));
      await record(atMs, [ended(oneOf(await claim(atMs)), false)]);
    }
    expect(pauses.map((ms) => ms / COOL_MS)).toEqual([1, 2, 4, 8, 16, 32, 32, 32]);
  });

  test('says when its probe may go, so that the worker need not ask', async () => {
    await breaker.open();
    expect(await claim(0)).toMatchObject({ claimed: [], dueInMs: COOL_MS, mayBeMore: false });
  });

  test('lets exactly one of twenty concurrent claims take the probe', async () => {
    await breaker.open();
    const all = await Promise.all(Array.from({ length: 20 }, () => claim(COOL_MS)));
    expect(all.flatMap(({ claimed }) => claimed)).toHaveLength(1);
  });

  test('whose probe died with its process lets another through when the lease has expired', async () => {
    await breaker.open();
    const lost = oneOf(await claim(COOL_MS));
    expect((await claim(COOL_MS + LEASE_MS - 1)).claimed).toEqual([]);
    expect(oneOf(await claim(COOL_MS + LEASE_MS))).not.toEqual(lost);
  });

  test('is not opened further by what was sent before it opened, and closed by its success', async () => {
    await emit(30);
    const { claimed } = await claim(0, 24);
    expect(claimed).toHaveLength(12);
    const [late, good] = claimed.splice(0, 2);
    if (late === undefined || good === undefined) throw new Error('too few were claimed');
    await record(
      0,
      claimed.map((one) => ended(one, false)),
    );
    expect(await record(500, [ended(late, false)])).toEqual([]);
    expect(await breakerAt(500)).toMatchObject({ state: 'OPEN', until: at(COOL_MS) });
    expect(await record(600, [ended(good, true)])).toEqual([{ receiverId: breaker.receiver.id, change: 'CLOSED' }]);
    expect(await breakerAt(600)).toEqual({ state: 'CLOSED', failures: 0 });
  });

  test('stays open for as long as the receiver asked for by Retry-After', async () => {
    await emit(10);
    const { claimed } = await claim(0, 20);
    await record(
      0,
      claimed.map((one, index) => ended(one, false, index === 3 ? 20 * COOL_MS : 0)),
    );
    expect(await breakerAt(0)).toMatchObject({ state: 'OPEN', until: at(20 * COOL_MS) });
  });

  test('counts an outcome once, even when it is written again because the first confirmation was lost', async () => {
    await emit(1);
    const failed = ended(oneOf(await claim(0)), false);
    for (let time = 0; time < 12; time += 1) await record(0, [failed]);
    expect(await breakerAt(0)).toMatchObject({ state: 'CLOSED', failures: 1 });
  });

  test('is closed by another URL', async () => {
    await breaker.open();
    await outbox.db.transaction((tx) =>
      setWebhookUrl(tx, keyring, { ownerId: breaker.receiver.ownerId, url: `${TARGET}/new` }),
    );
    expect(await breakerAt(0)).toEqual({ state: 'CLOSED', failures: 0 });
    expect((await claim(0, 4)).claimed).toHaveLength(2);
  });

  test('is not opened by what was sent to the URL before', async () => {
    await emit(30);
    const { claimed } = await claim(0, 20);
    await outbox.db.transaction((tx) =>
      setWebhookUrl(tx, keyring, { ownerId: breaker.receiver.ownerId, url: `${TARGET}/new` }),
    );
    await outbox.pool.query('update outbox.receiver set updated_at = $1', [at(1)]);
    expect(
      await record(
        2,
        claimed.map((one) => ended(one, false)),
      ),
    ).toEqual([]);
    expect(await breakerAt(2)).toEqual({ state: 'CLOSED', failures: 0 });
  });

  test('is closed by a resume', async () => {
    await breaker.open();
    const deps = { transact: outbox.transact, clock: { now: () => at(0) } };
    const who = { actor: 'operator', by: 'OPERATOR', ownerId: breaker.receiver.ownerId } as const;
    await pauseReceiver(deps, { ...who, reason: 'broken' });
    expect(await resumeReceiver(deps, who)).toMatchObject({ breaker: { state: 'CLOSED', failures: 0 } });
  });
});

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
