import { beforeEach, describe, expect, test } from 'vitest';
import { breakerRules, claimDue, getReceiver, type Outcome, recordOutcomes, updateReceiverUrl } from '#modules/outbox';
import { pauseReceiver, resumeReceiver } from '#modules/webhooks';
import { type TestReceiver, useOutbox } from '../../support/outbox.ts';

const TARGET = 'https://partner.example/hook';
const COOL_MS = 1_000;
const LEASE_MS = 60_000;
const rules = breakerRules(COOL_MS);
const outbox = useOutbox();
/** An hour ahead, so that it lies after whatever was emitted before. */
const start = Date.now() + 3_600_000;
let receiver: TestReceiver;

beforeEach(async () => {
  await outbox.pool.query('truncate outbox.receiver cascade');
  receiver = await outbox.newReceiver(TARGET);
});

const claim = (atMs: number, limit = 500) =>
  claimDue(outbox.pool, {
    limit,
    perReceiver: limit,
    busy: new Map(),
    leaseMs: LEASE_MS,
    now: new Date(start + atMs),
  });

type Begun = Pick<Outcome, 'deliveryId' | 'number'>;
const ended = ({ deliveryId, number }: Begun, delivered: boolean, askedMs = 0): Outcome => ({
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
const record = (atMs: number, outcomes: Outcome[]) =>
  recordOutcomes(outbox.pool, outcomes, { rules, now: new Date(start + atMs) });
const breakerAt = async (atMs: number) =>
  (await getReceiver(outbox.db, receiver.ownerId, { now: () => new Date(start + atMs) })).breaker;
const attempts = async () => {
  const { rows } = await outbox.pool.query<{ count: number }>('select count(*)::int from outbox.attempt');
  return rows[0]?.count;
};
const oneOf = (taken: Awaited<ReturnType<typeof claim>>): Begun => {
  const [only] = taken.claims;
  if (only === undefined || taken.claims.length !== 1) throw new Error(`${taken.claims.length} were claimed, not one`);
  return only;
};

/** Opens it at 0, by ten of thirty events. */
async function open() {
  await outbox.emitTo(receiver, 30);
  const { claims } = await claim(0, 20);
  expect(claims).toHaveLength(10);
  const failures = claims.map((claimed) => ended(claimed, false));
  expect(await record(0, failures)).toEqual([{ receiverId: receiver.id, change: 'OPENED' }]);
}

describe('the breaker of a receiver', () => {
  test('opens at the tenth failure in a row: one event by its own five attempts never opens it', async () => {
    await outbox.emitTo(receiver, 2);
    for (let failure = 1; failure <= 9; failure += 1) {
      const [claimed] = (await claim(failure, 1)).claims;
      if (claimed === undefined) throw new Error('nothing was claimed');
      expect(await record(failure, [ended(claimed, false)])).toEqual([]);
      expect(await breakerAt(failure)).toMatchObject({ state: 'CLOSED', failures: failure });
    }
    const last = oneOf(await claim(10, 1));
    expect(await record(10, [ended(last, false)])).toEqual([{ receiverId: receiver.id, change: 'OPENED' }]);
    expect(await breakerAt(10)).toMatchObject({ state: 'OPEN', failures: 10, until: new Date(start + 10 + COOL_MS) });
  });

  test('stays closed when a success comes in between', async () => {
    await outbox.emitTo(receiver, 30);
    const { claims } = await claim(0, 40);
    const [good, ...bad] = claims;
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
    await open();
    let begun = 10;
    for (const { atMs, taken, state, ...end } of walk) {
      expect(await breakerAt(atMs)).toMatchObject({ state });
      const claimed = await claim(atMs);
      begun += taken;
      expect(claimed.claims).toHaveLength(taken);
      expect(claimed.abandoned).toEqual([]);
      expect(await attempts()).toBe(begun);
      if (!('next' in end)) continue;
      expect((await claim(atMs)).claims, 'a second probe').toEqual([]);
      await record(atMs, [ended(oneOf(claimed), end.delivered)]);
      expect(await breakerAt(atMs)).toMatchObject({
        state: end.next,
        ...('coolMs' in end ? { until: new Date(start + atMs + end.coolMs) } : {}),
      });
    }
  });

  test('cools down for 32 times the first time at most', async () => {
    await open();
    let atMs = 0;
    const pauses: number[] = [];
    for (let probe = 0; probe < 8; probe += 1) {
      const { until } = await breakerAt(atMs);
      pauses.push(Number(until) - start - atMs);
      atMs = Number(until) - start;
      await record(atMs, [ended(oneOf(await claim(atMs)), false)]);
    }
    expect(pauses.map((ms) => ms / COOL_MS)).toEqual([1, 2, 4, 8, 16, 32, 32, 32]);
  });

  /** Opens it again at `atMs`: its probe is delivered, and ten that follow fail. Answers for how long it waits then. */
  async function relapse(atMs: number, between: (claims: Begun[]) => Promise<unknown> = async () => undefined) {
    await outbox.emitTo(receiver, 30);
    expect(await record(atMs, [ended(oneOf(await claim(atMs)), true)])).toMatchObject([{ change: 'CLOSED' }]);
    expect(await breakerAt(atMs)).toEqual({ state: 'CLOSED', failures: 0 });
    const { claims } = await claim(atMs, 40);
    await between(claims);
    const failures = claims.splice(0, 10).map((claimed) => ended(claimed, false));
    expect(await record(atMs, failures)).toEqual([{ receiverId: receiver.id, change: 'OPENED' }]);
    const { until, failingSince } = await breakerAt(atMs);
    expect(failingSince).toEqual(new Date(start + atMs));
    return Number(until) - start - atMs;
  }

  test('that answers its probe and fails whatever follows cools down for longer each time', async () => {
    await open();
    const pauses = [COOL_MS];
    for (let time = 1, atMs = 0; time <= 7; time += 1) {
      atMs += (pauses.at(-1) ?? Number.NaN) + 10;
      pauses.push(await relapse(atMs));
    }
    expect(pauses.map((ms) => ms / COOL_MS)).toEqual([1, 2, 4, 8, 16, 32, 32, 32]);
  });

  test('begins with the first cool-down again after a success that is no probe, or a long rest', async () => {
    await open();
    const afterSuccess = await relapse(COOL_MS, (claims) =>
      record(
        COOL_MS,
        claims.splice(0, 1).map((claimed) => ended(claimed, true)),
      ),
    );
    expect(afterSuccess).toBe(COOL_MS);
    await outbox.emitTo(receiver, 20);
    const atMs = 2 * COOL_MS;
    await record(atMs, [ended(oneOf(await claim(atMs)), true)]);
    const later = atMs + rules.coolDownMaxMs + COOL_MS;
    const failures = (await claim(later, 20)).claims.map((claimed) => ended(claimed, false));
    await record(later, failures);
    expect(await breakerAt(later)).toMatchObject({ state: 'OPEN', until: new Date(start + later + COOL_MS) });
  });

  test('says when its probe may go, so that the worker need not ask', async () => {
    await open();
    expect(await claim(0)).toMatchObject({ claims: [], dueInMs: COOL_MS, crowded: false });
  });

  test('of twenty claims at once, exactly one takes the probe', async () => {
    await open();
    const all = await Promise.all(Array.from({ length: 20 }, () => claim(COOL_MS)));
    expect(all.flatMap(({ claims }) => claims)).toHaveLength(1);
  });

  test('whose probe died with its process lets another through when the lease is over', async () => {
    await open();
    const lost = oneOf(await claim(COOL_MS));
    expect((await claim(COOL_MS + LEASE_MS - 1)).claims).toEqual([]);
    expect(oneOf(await claim(COOL_MS + LEASE_MS))).not.toEqual(lost);
  });

  test('is not opened further by what was sent before it opened, and closed by its success', async () => {
    await outbox.emitTo(receiver, 30);
    const { claims } = await claim(0, 24);
    expect(claims).toHaveLength(12);
    const [late, good] = claims.splice(0, 2);
    if (late === undefined || good === undefined) throw new Error('too few were claimed');
    await record(
      0,
      claims.map((one) => ended(one, false)),
    );
    expect(await record(500, [ended(late, false)])).toEqual([]);
    expect(await breakerAt(500)).toMatchObject({ state: 'OPEN', until: new Date(start + COOL_MS) });
    expect(await record(600, [ended(good, true)])).toEqual([{ receiverId: receiver.id, change: 'CLOSED' }]);
    expect(await breakerAt(600)).toEqual({ state: 'CLOSED', failures: 0 });
  });

  test('stays open for as long as the receiver asked for by Retry-After', async () => {
    await outbox.emitTo(receiver, 10);
    const { claims } = await claim(0, 20);
    await record(
      0,
      claims.map((one, index) => ended(one, false, index === 3 ? 20 * COOL_MS : 0)),
    );
    expect(await breakerAt(0)).toMatchObject({ state: 'OPEN', until: new Date(start + 20 * COOL_MS) });
  });

  test('counts an outcome once, also when it is written again because nobody heard of the first time', async () => {
    await outbox.emitTo(receiver, 1);
    const failed = ended(oneOf(await claim(0)), false);
    for (let time = 0; time < 12; time += 1) await record(0, [failed]);
    expect(await breakerAt(0)).toMatchObject({ state: 'CLOSED', failures: 1 });
  });

  test('is closed by another URL', async () => {
    await open();
    await outbox.db.transaction((tx) => updateReceiverUrl(tx, { ownerId: receiver.ownerId, url: `${TARGET}/new` }));
    expect(await breakerAt(0)).toEqual({ state: 'CLOSED', failures: 0 });
    expect((await claim(0, 4)).claims).toHaveLength(2);
  });

  test('is not opened by what was sent to the URL before', async () => {
    await outbox.emitTo(receiver, 30);
    const { claims } = await claim(0, 20);
    await outbox.db.transaction((tx) => updateReceiverUrl(tx, { ownerId: receiver.ownerId, url: `${TARGET}/new` }));
    await outbox.pool.query('update outbox.receiver set updated_at = $1', [new Date(start + 1)]);
    expect(
      await record(
        2,
        claims.map((claimed) => ended(claimed, false)),
      ),
    ).toEqual([]);
    expect(await breakerAt(2)).toEqual({ state: 'CLOSED', failures: 0 });
  });

  test('is closed by a resume', async () => {
    await open();
    const deps = { db: outbox.db, clock: { now: () => new Date(start) }, wake: () => undefined };
    const who = { actor: 'operator', by: 'OPERATOR', ownerId: receiver.ownerId } as const;
    await pauseReceiver(deps, { ...who, reason: 'broken' });
    expect(await resumeReceiver(deps, who)).toMatchObject({ breaker: { state: 'CLOSED', failures: 0 } });
  });
});
