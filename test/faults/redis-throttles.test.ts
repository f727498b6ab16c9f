import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { countsByLimits, newKey, outcome, useProcesses } from '../db/throttles/throttle-stories.ts';
import { type Answer, type TestApp, testClock, useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, newCustomer, newPerson, startReset, startSession } from '../support/onboarding.ts';
import { useRedis } from '../support/redis.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const redis = useRedis();
const processes = useProcesses();
const { openProcess, kept } = processes;

countsByLimits('Redis', processes, () => redis.url);

describe('while Redis is away', () => {
  beforeEach(() => redis.start());

  test('PostgreSQL counts: no limit is lifted, no call waits long, and the log says so once', async () => {
    const limit = { name: 'guesses', points: 3, windowS: 3600 };
    const { throttles } = openProcess(redis.url);
    const key = newKey();
    await throttles.take(limit, key);
    await redis.stop();
    const outcomes: ('ok' | number)[] = [];
    for (let n = 0; n < 6; n++) outcomes.push(await outcome(throttles.take(limit, key)));
    expect(outcomes.filter((one) => one === 'ok')).toHaveLength(3);
    const said = kept.lines.filter(({ msg }) => String(msg).includes('counting in Redis'));
    expect(said).toEqual([expect.objectContaining({ level: 50 })]);
  });

  test('from the beginning, a process counts all the same, and in Redis once it is there', async () => {
    await redis.stop();
    const limit = { name: 'late', points: 1, windowS: 3600 };
    const { throttles } = openProcess(redis.url);
    const key = newKey();
    expect(await outcome(throttles.take(limit, key))).toBe('ok');
    expect(await outcome(throttles.take(limit, key))).toBeGreaterThan(0);
    await redis.start();
    await eventually(async () => {
      await throttles.take(limit, newKey());
      expect(kept.lines.at(-1)).toMatchObject({ msg: expect.stringContaining('works again') });
    });
  });
});

describe('while Redis is slow', () => {
  const stoppedClock = () => {
    const clock = testClock();
    clock.stop();
    return clock;
  };
  const day = { points: 3, windowS: 86_400 };

  test('what was guessed before counts, and what is guessed then counts afterwards; other limits may begin anew', async () => {
    await redis.start();
    const proxy = await startTcpProxy(redis.url);
    const { throttles } = openProcess(proxy.url, stoppedClock());
    const key = newKey();
    const spend = async (name: string) => outcome(throttles.take({ name, ...day }, key));
    expect([await spend('logins'), await spend('logins'), await spend('test events')]).toEqual(['ok', 'ok', 'ok']);
    proxy.slowDown(1_000);
    const begun = performance.now();
    expect(await spend('test events')).toBe('ok');
    expect(performance.now() - begun).toBeGreaterThan(400); // it was asked, and did not answer in time
    expect([await spend('logins'), await spend('logins')]).toEqual(['ok', day.windowS]);
    proxy.slowDown(0);
    await eventually(async () => {
      await throttles.take({ name: 'test events', ...day }, newKey());
      expect(kept.lines.at(-1)).toMatchObject({ msg: expect.stringContaining('works again') });
    });
    expect(await spend('logins')).toBe(day.windowS);
    await proxy.close();
  });

  test('what refuses is listed whichever store counts it, found by its id, and opened', async () => {
    await redis.start();
    const { throttles, clock } = openProcess(redis.url, stoppedClock());
    const mine = newKey();
    const limits = ['wrong codes', 'test events'].map((name, place) => ({ name, points: 1, windowS: 9_000 + place }));
    for (const limit of limits) await throttles.take(limit, mine);
    const before = await throttles.countClosed(1000);
    const ends = limits.map(({ windowS }) => clock.now().getTime() + windowS * 1000);
    const listed = (await throttles.closed(1000)).filter(({ until }) => ends.includes(until.getTime()));
    expect(listed.map(({ name }) => name)).toEqual(['test events', 'wrong codes']);
    for (const one of listed) {
      expect(await throttles.findClosed(one.id)).toEqual(one);
      await throttles.open(one.id);
      expect(await throttles.findClosed(one.id)).toBeUndefined();
    }
    expect(await throttles.countClosed(1000)).toBe(before - 2);
    for (const limit of limits) expect(await outcome(throttles.take(limit, mine))).toBe('ok');
  });
});

describe('what two processes let through together over HTTP', () => {
  beforeAll(() => redis.start());
  const env = () => ({
    REDIS_URL: redis.url,
    RATE_LIMIT_FAILED_LOGINS_PER_H: '12',
    RATE_LIMIT_LOGINS_PER_M: '10',
    RATE_LIMIT_UNKNOWN_BVNS_PER_D: '3',
  });
  const server = useApp(env);
  const both = [server, useApp(env, server)] as const;
  const of = (n: number) => both[n % 2 === 0 ? 0 : 1];
  const many = (count: number, ask: (at: TestApp, n: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => ask(of(n), n)));
  const count = (answers: Answer[], status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
  const lookedAt = (answers: Answer[]) => answers.length - count(answers, 429);
  const WRONG = 'Kilimanjaro-78';

  it('of guesses at one PayTag is five, until the time is over that it is closed for', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const answers = await many(50, (at) => logIn(at, partner, paytag, WRONG));
    expect([count(answers, 401), count(answers, 429)]).toEqual([5, 45]);
    expect((await logIn(of(1), partner, paytag)).statusCode).toBe(429);
    server.clock.advance(60_000);
    expect((await logIn(of(1), partner, paytag)).statusCode).toBe(200);
  });

  it('of guesses over as many PayTags is the partner’s budget and a few', async () => {
    const partner = await server.newPartner();
    const answers = await many(50, (at, n) => logIn(at, partner, `nobody.${n}`, WRONG));
    expect(count(answers, 404)).toBeLessThanOrEqual(12 + 8);
  });

  it('of right logins is as many in a minute as the limit says', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const answers = await many(50, (at) => logIn(at, partner, paytag));
    expect([count(answers, 200), count(answers, 429)]).toEqual([10, 40]);
  });

  it('of codes and of resets is ten in an hour, and of unknown BVNs three in a day', async () => {
    const partner = await server.newPartner();
    const { headers } = partner;
    const person = newPerson();
    const sessions: string[] = [];
    for (let n = 0; n < 12; n++) sessions.push(await startSession(server, partner, person));
    const sends = await many(12, (at, n) => at.call('GET', `/v2/sso/${sessions[n]}/otp`, { headers }));
    const { paytag } = await newCustomer(server, partner);
    const resets = await many(14, (at) => startReset(at, partner, paytag));
    const bvn = (n: number) => `/v2/partner/paytag/bvn/2229998${String(n).padStart(4, '0')}`;
    const misses = await many(20, (at, n) => at.call('POST', bvn(n), { headers }));
    expect([sends, resets, misses].map(lookedAt)).toEqual([10, 10, 3]);
  });
});
