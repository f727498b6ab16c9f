import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { type Client, clientOf, type RemotePartner, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { openLocker } from '../support/row-locks.ts';
import { type ServedHere, serveHere } from '../support/served.ts';
import { freezeInTransaction, isStopped, waitersFor } from './kill-postgres.ts';

/** Naira. */
const FLOAT = 1_000;
const CREDITS = 20;
/** What the frozen process has waiting for each float. */
const QUEUED = 3;
/** Five seconds, and what a slow machine takes: each of the locks in turn would be fifteen. */
const HELD_MAX_MS = 12_000;
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

const database = useDatabase();
let freezing: ServerProcess;
let healthy: ServedHere;
let direct: DatabaseHandle;
beforeAll(async () => {
  direct = openDatabase(database.url, 6, () => {});
  const env = { ...serverEnv(database.url), ROLE: 'api' };
  freezing = await startServer(env);
  healthy = await serveHere(env);
});
afterAll(async () => {
  await Promise.all([freezing.kill('SIGKILL'), healthy.stop()]);
  await direct.close();
});

interface Shop extends RemotePartner {
  headers: Record<string, string>;
  float: number;
  wallet: string;
}

async function openShop(call: Client, name: string): Promise<Shop> {
  const partner = await remotePartner(call, { name, float: FLOAT });
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  const { body } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers: partner.headers, json });
  const { rows } = await direct.pool.query(
    `select id from ledger.account where kind = 'FLOAT' and currency = 'NGN' and partner_id = $1`,
    [partner.id],
  );
  return { ...partner, float: Number(rows[0].id), wallet: body.Reference };
}

/** Credits of one naira, each sent again as long as the answer is that it may be. Resolves to their last answers. */
const credits = ({ headers, wallet }: Shop, call: Client): Promise<number>[] =>
  Array.from({ length: CREDITS }, async (_, at) => {
    const json = { amount: 1, reference: `credit-${at}` };
    for (;;) {
      const { status } = await call('POST', `/v2/partner/wallet/${wallet}/credit`, { headers, json });
      if (status !== 503) return status;
    }
  });

const allDone = Array.from({ length: CREDITS }, () => 200);
const balances = async (shop: Shop) => {
  const { rows } = await direct.pool.query<{ kind: string; posted: string }>(
    `select kind, posted from ledger.account where currency = 'NGN' and partner_id = $1 order by kind`,
    [shop.id],
  );
  return rows.map(({ posted }) => Number(posted) / 100);
};

it('a process that freezes while it has a float locked stops no other partner, and its own only until PostgreSQL ends it', async () => {
  const call = clientOf(healthy.url);
  const [held, ...others] = [await openShop(call, 'Held'), await openShop(call, 'One'), await openShop(call, 'Other')];
  const fund = () =>
    clientOf(freezing.url)('POST', `/operator/v1/partners/${held.id}/float`, {
      headers: operator,
      json: { amount: 5, reference: 'top-up' },
    });
  const frozen = await freezeInTransaction(direct.pool, freezing, held.float, fund);

  // The next in line for the float: it keeps it locked for as long as the others need, when PostgreSQL has freed it.
  const next = await openLocker(direct.pool);
  const locked = next.lock('ledger.account', [held.float]);
  await eventually(async () => expect(await waitersFor(direct.pool, frozen.pid)).toContain(next.pid));

  let done = 0;
  const heldUp = credits(held, call).map((credit) => credit.finally(() => (done += 1)));
  const waitingCalls = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%ledger.post%'`;
  await eventually(async () => expect((await direct.pool.query(waitingCalls)).rows).not.toEqual([{ n: 0 }]));
  for (const shop of others) {
    expect(await Promise.all(credits(shop, call))).toEqual(allDone);
    expect(await balances(shop)).toEqual([FLOAT - CREDITS, CREDITS]);
  }
  expect(done).toBe(0);

  await locked;
  expect(await isStopped(freezing)).toBe(true);
  await next.release();
  expect(await Promise.all(heldUp)).toEqual(allDone);
  expect(await balances(held)).toEqual([FLOAT - CREDITS, CREDITS]);

  frozen.thaw();
  expect(await frozen.answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(await eventually(fund)).toMatchObject({ status: 200 });
  expect(await fund()).toMatchObject({ status: 200 });
  expect(await balances(held)).toEqual([FLOAT + 5 - CREDITS, CREDITS]);
  expect(await call('GET', '/operator/v1/ledger/check', { headers: operator })).toMatchObject({ body: { ok: true } });
});

it('what a frozen process has waiting for its own locks lets go together: nobody waits for each of them in turn', async () => {
  const call = clientOf(healthy.url);
  const [one, two, free] = [await openShop(call, 'One'), await openShop(call, 'Two'), await openShop(call, 'Free')];
  const fund = ({ id }: Shop, at: number) =>
    clientOf(freezing.url)('POST', `/operator/v1/partners/${id}/float`, {
      headers: operator,
      json: { amount: 5, reference: `top-up-${at}` },
    });
  const eachFund = () => [one, two].flatMap((shop) => Array.from({ length: QUEUED }, async (_, at) => fund(shop, at)));
  const locker = await openLocker(direct.pool);
  await locker.lock('ledger.account', [one.float, two.float]);
  const funds = eachFund();
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => expect((await direct.pool.query(waiting)).rows).toEqual([{ n: 2 * QUEUED }]));
  freezing.child.kill('SIGSTOP');
  await eventually(async () => expect(await isStopped(freezing)).toBe(true));
  await locker.release();

  const frozenAt = performance.now();
  const held = Promise.all([one, two].flatMap((shop) => credits(shop, call)));
  expect(await Promise.all(credits(free, call))).toEqual(allDone);
  expect(await held).toEqual([...allDone, ...allDone]);
  expect(performance.now() - frozenAt).toBeLessThan(HELD_MAX_MS);
  expect(await isStopped(freezing)).toBe(true);

  freezing.child.kill('SIGCONT');
  for (const { status } of await Promise.all(funds)) expect([200, 503]).toContain(status);
  await eventually(async () => {
    for (const { status } of await Promise.all(eachFund())) expect(status).toBe(200);
  });
  for (const shop of [one, two]) expect(await balances(shop)).toEqual([FLOAT + 5 * QUEUED - CREDITS, CREDITS]);
  expect(await call('GET', '/operator/v1/ledger/check', { headers: operator })).toMatchObject({ body: { ok: true } });
});
