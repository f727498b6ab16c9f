import { access, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPostmasterFile } from '../../src/embedded/supervisor.ts';
import { type Client, clientOf, ssoOf } from '../support/client.ts';
import { newDatabaseFolder, queryAs } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, runToEnd, type ServerProcess, startServer } from '../support/process.ts';
import { untilGreeted } from '../support/served.ts';

interface Credentials {
  partner: { clientId: string; apiKey: string };
  paytags: [string, string];
  password: string;
  wallet: string;
  terminal: string;
  applications: { clientId: string; clientSecret: string; tag: string }[];
  consent: { token: string };
}
let dataDir: string;
let server: ServerProcess;
let call: Client;
let credentials: Credentials;
let headers: Record<string, string>;

const SERVER_PASSWORD = 'cluster/server-password';
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const start = async (env: Record<string, string> = {}) => {
  server = await startServer({ ...env, DATA_DIR: dataDir, OPERATOR_TOKEN, WEBHOOK_BACKOFF_BASE_MS: '5' });
  const written = await readFile(join(dataDir, 'demo.json'), 'utf8'); // for whoever waited until it is ready
  await untilGreeted(server);
  call = clientOf(server.url);
  return written;
};

beforeAll(async () => {
  dataDir = await newDatabaseFolder('paytag-test-demo-');
  credentials = JSON.parse(await start()) as Credentials;
  headers = { 'x-client-id': credentials.partner.clientId, 'x-api-key': credentials.partner.apiKey };
});
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('greets with credentials that work', async () => {
  const [application] = credentials.applications;
  const shown = [
    ...Object.values(credentials.partner),
    ...credentials.paytags,
    credentials.password,
    credentials.wallet,
    credentials.terminal,
  ];
  shown.push(application?.clientId ?? '', application?.clientSecret ?? '', credentials.consent.token);
  expect(shown.filter((word) => word === '' || !server.stdout.includes(word))).toEqual([]);
  for (const paytag of credentials.paytags) {
    const customer = await ssoOf(call, { headers }).customer(paytag, credentials.password);
    expect((await call('GET', '/v2/sso/wallet', { headers: customer })).status).toBe(200);
  }
  expect(credentials.paytags).toEqual(['ada', 'bola']);
  expect(server.stdout).toContain(
    'PayTag 0.1.0 is listening: environment sandbox. Simulated are BVN checks, bank account names, payouts, account numbers, text messages, e-mail.',
  );
  expect(JSON.parse(server.stdout.split('\n')[0] ?? '')).toMatchObject({
    environment: 'sandbox',
    version: '0.1.0',
    simulated: ['BVN checks', 'bank account names', 'payouts', 'account numbers', 'text messages', 'e-mail'],
  });
});

it('has a terminal with a split that is pending, one that is paid in part, and one that is paid', async () => {
  const terminal = { ...headers, 'x-terminal': credentials.terminal };
  const { body } = await call<{ items: object[] }>('GET', '/v2/partner/terminal/splits', { headers: terminal });
  expect(body.items).toMatchObject([
    { Status: 'Pending', TotalPaid: 0 },
    { Status: 'Pending', TotalPaid: 60_000, Remaining: 120_000 },
    { Status: 'Paid', Remaining: 0 },
  ]);
});

it('has a consent that waits for Ada, and a transaction that waits for Rides, whose webhook has failed', async () => {
  const [rides, market] = credentials.applications;
  const accept = { accept: 'application/json' };
  const consent = await call('GET', `/api/v1/consent/${credentials.consent.token}`, { headers: accept });
  expect(consent).toMatchObject({ status: 200, body: { success: true } });
  expect(consent.text).toContain('ada');

  const form = { client_id: rides?.clientId ?? '', client_secret: rides?.clientSecret ?? '' };
  const token = await call<{ access_token: string }>('POST', '/api/v1/auth/token', { form });
  const authorization = `Bearer ${token.body.access_token}`;
  await eventually(async () => {
    const pending = await call('GET', '/api/v1/transactions/pending', { headers: { authorization } });
    const webhooks = [{ eventType: 'TRANSACTION_INITIATED', status: 'FAILED', attempts: 5, lastError: 'refused' }];
    const waiting = { senderTag: market?.tag, receiverTag: rides?.tag, status: 'AWAITING_ACCEPTANCE', webhooks };
    expect(pending.body).toMatchObject({ data: { totalElements: 1, content: [waiting] } });
  });
  const failed = await call('GET', '/operator/v1/deliveries?status=FAILED', { headers: operator });
  expect(failed.body).toMatchObject({ count: 1 });
});

/** The address of the embedded database with one of its logins, whose password is in a file. */
async function urlAs(username: 'postgres' | 'paytag_server'): Promise<string> {
  const { port } = (await readPostmasterFile(join(dataDir, 'cluster/data'))) ?? {};
  const file = username === 'postgres' ? 'cluster/password' : SERVER_PASSWORD;
  const password = (await readFile(join(dataDir, file), 'utf8')).trim();
  return `postgresql://${username}:${password}@127.0.0.1:${port}/postgres`;
}
/** As whom the server is connected. A process that is being started for one has no name yet. */
const logins = async () =>
  queryAs(
    await urlAs('postgres'),
    `select distinct usename as name from pg_stat_activity where application_name like 'paytag%' and usename is not null`,
  );

it('V13.2.2: its database is the server’s by a login of its own, neither superuser nor owner', async () => {
  expect(await logins()).toEqual([{ name: 'paytag_server' }]);
  const asServer = await urlAs('paytag_server');
  await expect(queryAs(asServer, 'delete from audit.entry')).rejects.toThrow('permission denied');
  const powers = `select rolsuper or rolcreaterole or rolcreatedb as mighty,
    exists (select from pg_class where relowner = r.oid) as owner from pg_roles r where rolname = current_user`;
  expect(await queryAs(asServer, powers)).toEqual([{ mighty: false, owner: false }]);
  expect((await stat(join(dataDir, SERVER_PASSWORD))).mode & 0o077).toBe(0);
  const check = await runToEnd(['src/cli/paytag.js', 'ledger', 'check', '--database'], { DATA_DIR: dataDir });
  expect(check).toMatchObject({ code: 0, stderr: '' });
});

it('is found by commands, whatever its port, and keeps a second server off its data', async () => {
  const given = { DATA_DIR: dataDir, OPERATOR_TOKEN };
  const [health, second] = await Promise.all([
    runToEnd(['src/cli/paytag.js', 'health'], given),
    runToEnd(['src/server.ts'], { ...given, PORT: '0' }),
  ]);
  expect(health).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
  expect([second.code, second.stderr]).toEqual([
    1,
    `the server at ${server.url} (process ${server.child.pid}) uses the data in ${dataDir}: stop it first, or give another DATA_DIR\n`,
  ]);
});

/** Leaves the folder as 0.1.0 left it: the server has no login of its own at the database. */
async function stopAs010(): Promise<void> {
  const owner = await urlAs('postgres');
  await queryAs(owner, 'reassign owned by paytag_server to postgres');
  await queryAs(owner, 'alter role paytag_server nologin');
  await server.stop();
  await rm(join(dataDir, SERVER_PASSWORD));
}

it('is not looked for where it no longer runs, also after a server that was killed', async () => {
  const file = join(dataDir, 'server.json');
  const left = await readFile(file, 'utf8');
  await stopAs010();
  await expect(access(file)).rejects.toThrow('ENOENT');
  await writeFile(file, left);
  expect(await runToEnd(['src/cli/tour.ts'], { DATA_DIR: dataDir, OPERATOR_TOKEN })).toEqual({
    code: 1,
    stdout: '',
    stderr: `\n✗ no server runs on the data in ${dataDir}: run "npm start" in another terminal first, or give the DATA_DIR of the one that runs\n`,
  });
});

it('is loaded once: started again, the sandbox greets with the same, and with the operator’s own port where there is one; a folder of 0.1.0 has a login of the server then', async () => {
  await server.stop();
  expect(JSON.parse(await start({ OPERATOR_PORT: '0' }))).toEqual(credentials);
  expect(await logins()).toEqual([{ name: 'paytag_server' }]);
  const wallets = await call('GET', '/v2/partner/wallet', { headers });
  expect(wallets.body).toMatchObject({ count: 2 });
  expect(server.stdout).toContain(credentials.partner.apiKey);
  const { operatorUrl } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as { operatorUrl: string };
  expect(server.stdout).toContain(
    `Operator API          http://localhost:${new URL(operatorUrl).port}/operator/v1   (pages: `,
  );
  const asked = await clientOf(operatorUrl)('GET', '/operator/v1/ledger/check', { headers: operator });
  expect(asked.body).toMatchObject({ ok: true });
});
