import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { repetitions } from '../support/cases.ts';
import { clientOf, remoteCustomer, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';
import { useRedis } from '../support/redis.ts';
import { expectDeliveredOrFailed } from './delivery-outcomes.ts';
import {
  type Caller,
  GUESSES,
  LIMITED,
  type Limits,
  LOOK_UPS,
  type Load,
  limitsOf,
  movement,
  type Outcome,
  openLoad,
  person,
} from './several-processes-load.ts';
import { type Fleet, startFleet } from './soak/fleet.ts';

const KILLS = repetitions({ short: 2, soak: 16 });
/** No promise: it ends what hangs. */
const TIMEOUT_MS = 300_000 + KILLS * 30_000;
/** Of all callers, about each fault. */
const TURNS = repetitions({ short: 24, soak: 160 });
const DAILY_LIMIT = 60;
/** Asked again together, at the end. */
const AT_ONCE = 8;
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

const database = useDatabase();
const redis = useRedis();
const receiver = useReceiver();
let owner: DatabaseHandle;
let fleet: Fleet;
let caller: Caller;
let load: Load;
let limits: Limits;

/** Of each role one, then the others of each, and so on. */
const placeOf = (kill: number) => fleet.places[(1 + 2 * kill + Math.floor(kill / 2)) % fleet.places.length];
const origin = (at: number): string => fleet.serving()[at % fleet.serving().length] ?? '';

beforeAll(async () => {
  owner = openDatabase(database.ownerUrl, 2, () => undefined);
  const refused = new Set<unknown>();
  receiver.answer(({ headers }, at) => {
    const id = headers['webhook-id'];
    if (at % 5 !== 3 || refused.has(id)) return 200;
    refused.add(id);
    return 503;
  });
  const quick = { WEBHOOK_TIMEOUT_MS: '1000', WEBHOOK_BACKOFF_BASE_MS: '20', LOG_LEVEL: 'fatal' };
  const env = {
    ...serverEnv(database.url),
    ...quick,
    ...LIMITED,
    REDIS_URL: redis.url,
    PUBLIC_URL: 'http://localhost:3000',
  };
  fleet = await startFleet(env, { apis: 2, workers: 2 });
  const call = clientOf(origin(0));
  const partner = await remotePartner(call, { name: 'Acme', webhookUrl: receiver.url, float: 1_000_000 });
  const { headers } = partner;
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  const { body } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json });
  const customers = [
    await remoteCustomer(call, partner, person(0)),
    await remoteCustomer(call, partner, person(1)),
  ] as const;
  for (const { wallet, paytag } of customers) {
    const opening = { amount: 10_000, reference: `opening-${paytag}` };
    await call('POST', `/v2/partner/wallet/${wallet}/credit`, { headers, json: opening });
  }
  const limit = { dailyLimit: DAILY_LIMIT, reason: 'a test' };
  await call('PATCH', `/operator/v1/wallets/${customers[0].wallet}`, { headers: operator, json: limit });
  caller = { partner, wallet: body.Reference, customers };
  load = openLoad(() => fleet.serving(), caller);
  limits = limitsOf(origin, partner, owner.pool);
});
afterAll(async () => {
  await Promise.all(fleet.places.map(async ({ running }) => running?.kill('SIGKILL')));
  await owner.close();
});

/** Has something happen in the middle of calls. */
async function underLoad(happen: () => Promise<unknown> = async () => undefined): Promise<void> {
  const half = load.answered + TURNS / 2;
  load.allow(TURNS);
  await eventuallyTrue(() => load.answered > half, { intervalMs: 1 });
  await happen();
}

/** Resolves when an event is received of what happened since. */
async function eventArrives(reference: string): Promise<void> {
  expect(await load.ask(movement(caller, 'credit', { reference, amount: 1 }))).toMatchObject({ status: 200 });
  await receiver.waitFor(({ body }) => body.includes(`"${reference}"`));
}

/** Has Redis stand still, as on a machine that is swapped out: connections stay, and nothing is answered. */
async function freezeRedis(): Promise<() => void> {
  const admin = new Redis(redis.url);
  const pid = Number(/process_id:(\d+)/.exec(await admin.info('server'))?.[1]);
  admin.disconnect();
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

describe('two api processes and two workers over one PostgreSQL and one Redis', () => {
  it('let through together as few guesses at a password as one of them', async () => {
    const end = load.start();
    await underLoad();
    expect(await limits.guessesLookedAt(2)).toBe(GUESSES);
    await end();
  });

  it('let through together as much as one of them of what Redis counts', async () => {
    const end = load.start();
    await underLoad();
    const before = await limits.countedByPostgres();
    const letThrough = await limits.lookUpsLetThrough();
    // Where Redis did not answer in time, as on a machine that stands still, PostgreSQL has counted too, from the beginning.
    const countedAgain = (await limits.countedByPostgres()) - before;
    expect(letThrough).toBeGreaterThanOrEqual(LOOK_UPS);
    expect(letThrough).toBeLessThanOrEqual(LOOK_UPS + countedAgain);
    await end();
  });

  it(
    'serve while any of them is killed with -9 and begins anew',
    async () => {
      const end = load.start();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const place = placeOf(kill);
        await underLoad(async () => expect(await place?.restart('SIGKILL')).toBeNull());
      }
      await underLoad();
      await end();
    },
    TIMEOUT_MS,
  );

  it('go on on PostgreSQL while Redis stands still, and let through as few', async () => {
    const end = load.start();
    await underLoad();
    const thaw = await freezeRedis();
    try {
      expect(await limits.guessesLookedAt(3)).toBe(GUESSES);
      expect(await limits.lookUpsLetThrough()).toBe(LOOK_UPS);
      await underLoad();
      await eventArrives('several-while-redis-stands-still');
    } finally {
      thaw();
    }
    await underLoad();
    await end();
  });

  it('go on on PostgreSQL while Redis is gone, though one is killed meanwhile, and let through as few', async () => {
    const end = load.start();
    await underLoad(() => redis.stop());
    expect(await limits.guessesLookedAt(4)).toBe(GUESSES);
    expect(await limits.lookUpsLetThrough()).toBe(LOOK_UPS);
    await underLoad(async () => fleet.of('api')[0]?.restart('SIGKILL'));
    await eventArrives('several-while-redis-is-gone');
    await redis.start();
    await underLoad();
    await end();
  });

  it('have booked once what was acknowledged, and nothing twice, and answer it as they did', async () => {
    const outcomes = [...load.told.values()];
    const answered = outcomes.flatMap(({ asked, outcome }) => (outcome === undefined ? [] : [{ asked, outcome }]));
    const failed = answered.filter(
      ({ outcome: { status, body } }) =>
        ![200, 201, 422].includes(status) && body['errorCode'] !== 'IDEMPOTENCY_ANSWER_LOST',
    );
    expect(failed.slice(0, 3)).toEqual([]);

    const { rows } = await owner.pool.query<{ reference: string; times: number; posted: boolean }>(
      `select case when reference like 'several-%' then reference else external_reference end as reference,
              count(*)::int as times, bool_and(code is null) as posted from ledger.transaction
        where reference like 'several-%' or external_reference like 'several-%' group by 1`,
    );
    const booked = new Map(rows.map(({ reference, ...row }) => [reference, row]));
    expect(rows.filter(({ times }) => times > 1)).toEqual([]);
    const movements = answered.filter(({ asked }) => asked.kind !== 'wallet');
    expect(movements.map(({ asked: { reference } }) => [reference, booked.get(reference)?.posted ?? false])).toEqual(
      movements.map(({ asked: { reference }, outcome: { status } }) => [reference, status === 200]),
    );

    const now: (Outcome | undefined)[] = [];
    for (let at = 0; at < outcomes.length; at += AT_ONCE) {
      const some = outcomes.slice(at, at + AT_ONCE);
      now.push(...(await Promise.all(some.map((one) => load.ask(one.asked)))));
    }
    const again = outcomes.flatMap(({ outcome }, place) => (outcome === undefined ? [] : [[outcome, now[place]]]));
    expect(again).toEqual(answered.map(({ outcome }) => [outcome, outcome]));
    const kobo = outcomes.reduce((sum, one, place) => sum + (now[place]?.status === 200 ? one.asked.kobo : 0), 0);
    const held = await owner.pool.query<{ posted: string }>(
      `select a.posted from wallets.partner_wallet w join ledger.account a on a.id = w.account_id where w.reference = $1`,
      [caller.wallet],
    );
    expect(held.rows).toEqual([{ posted: String(kobo) }]);
    const opened = await owner.pool.query<{ wallets: number }>(
      'select count(*)::int as wallets from wallets.partner_wallet where kyc_profile_id is not null',
    );
    const asked = outcomes.filter((one) => one.asked.kind === 'wallet').length;
    expect(opened.rows).toEqual([{ wallets: asked + 1 }]);
  });

  it('have let nobody spend more in a day than they may', async () => {
    const { rows } = await owner.pool.query<{ spent: string }>(
      `select sum(t.amount + t.fee) as spent from ledger.account a join ledger.transaction t on t.source_id = a.id
        where a.daily_limit is not null and t.type = 'TRANSFER' and t.code is null
        group by a.id, (t.created_at at time zone 'Africa/Lagos')::date`,
    );
    const spent = rows.map((row) => Number(row.spent) / 100);
    expect(Math.max(...spent)).toBeLessThanOrEqual(DAILY_LIMIT);
    const whole = spent.reduce((sum, ofDay) => sum + ofDay, 0);
    expect(whole).toBeGreaterThan(DAILY_LIMIT - 6); // it was reached: of what was refused each was less
  });

  it('have delivered an event of every movement of a wallet, and none in more than five attempts', async () => {
    await expectDeliveredOrFailed(owner.pool, [receiver]);
    const { rows } = await owner.pool.query<{ entries: number }>(
      `select count(*)::int as entries from ledger.entry e join ledger.account a on a.id = e.account_id where a.kind = 'WALLET'`,
    );
    const told = receiver.accepted.flatMap(({ headers, body }) =>
      /^\{"event":"wallet\.(credited|debited)"/.test(body.toString()) ? [headers['webhook-id']] : [],
    );
    expect(new Set(told).size).toBe(rows[0]?.entries);
  });

  it('have kept the books right', async () => {
    // A worker may be at a check of its own.
    const check = await eventually(async () => {
      const answer = await clientOf(origin(0))('GET', '/operator/v1/ledger/check', { headers: operator });
      expect(answer).not.toMatchObject({ body: { errorCode: 'CHECK_RUNNING' } });
      return answer;
    });
    expect(check).toMatchObject({ body: { ok: true } });
  });
});
