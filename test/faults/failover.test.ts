import { randomInt } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stampInstallation } from '#modules/keys';
import { sealDue, verifySeals } from '#modules/proof';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { rootKeyIdsOf } from '../../src/providers/kms/open-root-keys.ts';
import { type Answer, type TestPartner, useApp } from '../support/app.ts';
import { copyCluster, newDatabaseFolder } from '../support/database.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { A_DAY_BEFORE } from '../support/other-times.ts';
import { type Standby, startStandby } from '../support/standby.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { kycWallet } from '../support/wallets.ts';
import { openAckLog } from './ack-log.ts';
import { freezePostgres, killPostgres, thawPostgres } from './kill-postgres.ts';

const CLIENTS = 8;
/** Ten seconds are promised: a slow machine has twice as many. By the statement timeout alone it would be thirty. */
const ANSWERED_WITHIN_MS = 20_000;
/** Naira. Credits are of up to 60, so that some are refused. */
const FLOAT = 12_000;

let folder = '';
let root = '';
let copy = '';
const acks = openAckLog<{ status: number; body: object }>();
const sent = new Map<string, number>();
let primary: Embedded;
let standby: Standby;
let proxy: TcpProxy;
let partner: TestPartner;
let wallet = '';
let seals: string[] = [];

const query = async (url: string, ...statements: string[]) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows = [] } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
};

/** Two clusters with durable settings: a commit is acknowledged when both have it on their disks. */
beforeAll(async () => {
  folder = await newDatabaseFolder('paytag-test-failover-');
  [root, copy] = [join(folder, 'primary'), join(folder, 'standby')];
  await mkdir(root);
  await chmod(folder, 0o755);
  await copyCluster(root, 'migrated');
  primary = await startEmbedded(root);
  const url = primary.url('postgres');
  standby = await startStandby(root, url, copy);
  await query(url, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
  await eventually(async () => {
    const [standing] = await query(url, 'select sync_state from pg_stat_replication');
    if (standing?.['sync_state'] !== 'sync') throw new Error('the standby is not synchronous yet');
  });
  proxy = await startTcpProxy(url);
});
const throughProxy = {
  get url() {
    return proxy.url;
  },
};
const server = useApp({}, throughProxy);
beforeAll(async () => {
  await stampInstallation(server.resources.db, 'sandbox', rootKeyIdsOf(server.resources.rootKey));
  partner = await server.newPartner({ float: FLOAT });
  wallet = await kycWallet(server, partner);
  await query(primary.url('postgres'), A_DAY_BEFORE);
  seals = (await sealDue(server.resources)).map(({ seal }) => seal);
});
afterAll(async () => {
  await thawPostgres(copy);
  await proxy.close();
  await standby.stop();
  await primary.stop();
  acks.remove();
  await rm(folder, { recursive: true });
});

async function send(reference: string, amount: number): Promise<Answer> {
  sent.set(reference, amount);
  const { headers } = partner;
  return server.call('POST', `/v2/partner/wallet/${wallet}/credit`, { headers, payload: { amount, reference } });
}
const answerOf = (answer: Answer) => {
  const { timestamp: _timestamp, requestId: _requestId, ...body } = answer.json<Record<string, unknown>>();
  return { status: answer.statusCode, body };
};

const ready = async () => (await server.call('GET', '/health/ready')).statusCode;

/** Credits, new ones and now and then an old one again, each sent until it is answered as a caller would, until `isEnough`. */
async function load(isEnough: () => boolean, answered: (answer: Answer) => void): Promise<void> {
  while (!isEnough()) {
    const old = [...sent.keys()];
    const again = randomInt(100) < 30 ? old[randomInt(old.length)] : undefined;
    const reference = again ?? `credit-${sent.size}`;
    const amount = sent.get(reference) ?? randomInt(1, 6_001) / 100;
    const answer = await eventually(async () => {
      const one = await send(reference, amount);
      answered(one);
      expect([200, 422]).toContain(one.statusCode);
      return one;
    });
    acks.write(reference, answerOf(answer));
  }
}

it('a commit whose standby says nothing is acknowledged to nobody: 503 within 10 seconds, readiness too, and reads go on', async () => {
  await freezePostgres(copy);
  const since = performance.now();
  const waits = await Promise.all(['waits-1', 'waits-2', 'waits-1'].map((reference) => send(reference, 10)));
  expect(waits.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  expect(performance.now() - since).toBeLessThan(ANSWERED_WITHIN_MS);
  expect((await send('waits-3', 10)).statusCode).toBe(503);
  expect(await ready()).toBe(503);
  expect(server.logged).toContain('the database serves no requests: its commits wait for a standby');
  expect((await server.call('GET', '/v2/partner/float', { headers: partner.headers })).statusCode).toBe(200);

  await thawPostgres(copy);
  await eventually(async () => expect(await ready()).toBe(200));
  for (const reference of ['waits-1', 'waits-2', 'waits-3']) {
    acks.write(reference, answerOf(await eventually(() => send(reference, 10))));
  }
});

it('a primary that is killed with -9 under load loses nothing that it acknowledged, and doubles nothing, when its standby is promoted', async ({
  annotate,
}) => {
  let killed = Number.POSITIVE_INFINITY;
  let served = Number.POSITIVE_INFINITY;
  let refused = 0;
  let after = 0;
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, () =>
      load(
        () => after > 100,
        ({ statusCode }) => {
          if (statusCode === 503) refused += 1;
          else if (proxied === standby.url && (after += 1) === 1) served = performance.now();
        },
      ),
    ),
  );
  let proxied = primary.url('postgres');
  const enough = acks.count + randomInt(100, 200);
  await eventuallyTrue(() => acks.count > enough, { intervalMs: 1 });
  await killPostgres(root);
  killed = performance.now();

  // What Patroni and HAProxy do: the standby is promoted, and the address leads to it.
  await query(standby.url, 'select pg_promote()');
  const promoted = performance.now();
  proxy.leadTo(standby.url);
  proxied = standby.url;
  await clients;
  const inMs = (moment: number) => `${Math.round(moment - killed)} ms`;
  await annotate(`promoted after ${inMs(promoted)}, served again after ${inMs(served)}, ${refused} times 503`);

  const first = new Map<string, object>();
  for (const { reference, answer } of acks.read()) {
    expect(answer).toEqual(first.get(reference) ?? answer);
    first.set(reference, answer);
  }
  expect(sent.size).toBe(first.size);
  let credited = 0;
  for (const [reference, amount] of sent) {
    const answer = answerOf(await send(reference, amount));
    expect(answer).toEqual(first.get(reference));
    if (answer.status === 200) credited += Math.round(amount * 100);
  }
  expect(
    await query(
      standby.url,
      `select kind, sum(posted)::int as sum from ledger.account where kind in ('FLOAT', 'WALLET') and currency = 'NGN' group by 1 order by 1`,
    ),
  ).toEqual([
    { kind: 'FLOAT', sum: FLOAT * 100 - credited },
    { kind: 'WALLET', sum: credited },
  ]);
  expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
  expect(seals.length).toBeGreaterThan(20);
  expect((await verifySeals(server.resources, seals)).findings).toEqual([]);
});
