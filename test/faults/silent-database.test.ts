import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { repetitions } from '../support/cases.ts';
import { type Client, clientOf, type Method, type RemotePartner, remotePartner } from '../support/client.ts';
import { copyCluster, newDatabaseFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { freezePostgres, thawPostgres } from './kill-postgres.ts';

/** Ten seconds are promised: a slow machine has twice as many. By the statement timeout alone it would be thirty. */
const ANSWERED_WITHIN_MS = 20_000;
/** How much longer it stays silent: in a soak until 25 seconds are over. */
const SILENT_MS = repetitions({ short: 0, soak: 25_000 });
const FLOAT = 1_000;
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

const receiver = useReceiver();
let root = '';
let postgres: Embedded;
let proxy: TcpProxy;
let server: ServerProcess;
let call: Client;
let partner: RemotePartner & { headers: Record<string, string> };
let wallet = '';
beforeAll(async () => {
  root = await newDatabaseFolder('paytag-test-silent-');
  await copyCluster(root, 'migrated');
  postgres = await startEmbedded(root, { fsync: 'off' });
  proxy = await startTcpProxy(postgres.url('postgres'));
  server = await startServer(serverEnv(proxy.url));
  call = clientOf(server.url);
  partner = await remotePartner(call, { name: 'Acme', float: FLOAT, webhookUrl: receiver.url });
  const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
  const opened = await call<{ Reference: string }>('POST', '/v2/partner/wallet', {
    headers: partner.headers,
    json: { kyc },
  });
  wallet = opened.body.Reference;
});
afterAll(async () => {
  await server.kill('SIGKILL');
  await thawPostgres(root);
  await proxy.close();
  await postgres.stop();
  await rm(root, { recursive: true });
});

const floatLeft = async () => {
  const { body } = await call<{ items: { Balance: number }[] }>('GET', '/v2/partner/float', {
    headers: partner.headers,
  });
  return body.items[0]?.Balance;
};
/** What one round of `requests` takes from the float, and adds to it. */
const TAKEN = 2 - 1;

/** Reads and writes of every kind of connection: pooled, pipelined, for lists, in transactions of several statements. */
const requests = (reference: string): [Method, string, object][] => [
  ['GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers }],
  ['GET', '/v2/partner/wallet', { headers: partner.headers }],
  ['GET', '/v2/partner/float', { headers: partner.headers }],
  ['GET', '/operator/v1/partners', { headers: operator }],
  ['GET', '/api/v1/tags/ada', {}],
  ['GET', '/health/ready', {}],
  ['POST', `/v2/partner/wallet/${wallet}/credit`, { headers: partner.headers, json: { amount: 1, reference } }],
  [
    'POST',
    `/v2/partner/wallet/${wallet}/credit`,
    {
      headers: { ...partner.headers, 'idempotency-key': randomUUID() },
      json: { amount: 1, reference: `${reference}-key` },
    },
  ],
  [
    'POST',
    `/operator/v1/partners/${partner.id}/float`,
    { headers: operator, json: { amount: 1, reference: `${reference}-float` } },
  ],
];

async function answers(reference: string) {
  const asked = requests(reference).map(async ([method, path, given]) => {
    const since = performance.now();
    const { status, headers } = await call(method, path, given);
    return { path, status, retryAfter: headers['retry-after'], inTime: performance.now() - since < ANSWERED_WITHIN_MS };
  });
  return Promise.all(asked);
}
const refused = () => requests('').map(([, path]) => ({ path, status: 503, retryAfter: '1', inTime: true }));

/** Money, lists, readiness and webhooks by themselves, and what was sent before the silence once, however often it is sent again. */
async function serves(reference: string): Promise<void> {
  await eventually(async () => {
    for (const { path, status } of await answers(reference))
      expect([path, [200, 404]]).toEqual([path, expect.arrayContaining([status])]);
  });
  await receiver.waitFor(({ body }) => body.toString().includes(`"${reference}-key"`));
}

it('a database that falls silent has every request answered 503 in ten seconds, and all is well by itself when it is back', async () => {
  await serves('before');
  await freezePostgres(root);
  expect(await answers('during')).toEqual(refused());
  const since = performance.now();
  do
    expect(await answers('during')).toEqual(refused()); // at once: it is known by now
  while (performance.now() - since < SILENT_MS);
  expect(server.stdout.match(/the database serves no requests: it does not answer/g)).toHaveLength(1);
  await thawPostgres(root);
  await serves('during');
  expect(await floatLeft()).toBe(FLOAT - 2 * TAKEN);
});

it('connections that swallow what is sent are ended, and others take their place', async () => {
  proxy.fallSilent();
  for (const { path, inTime, status } of await answers('swallowed')) {
    expect([path, inTime, [200, 404, 503]]).toEqual([path, true, expect.arrayContaining([status])]);
  }
  await serves('swallowed');
  expect(await floatLeft()).toBe(FLOAT - 3 * TAKEN);
});

it('a server that is stopped while its database is silent ends in good order', async () => {
  await freezePostgres(root);
  const [answered, code] = await Promise.all([answers('last').catch(() => []), server.stop()]); // it may have closed its port first
  for (const { path, status } of answered) expect([path, status]).toEqual([path, 503]);
  expect(code).toBe(0);
});
