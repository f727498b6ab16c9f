import { connect } from 'node:net';
import { promisify } from 'node:util';
import { Pool as Connections } from 'undici';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { openLocker } from '../support/row-locks.ts';

const PLACES = 16;
const server = useApp({ REQUESTS_RUNNING_MAX: String(PLACES) });
let http: Connections;
beforeAll(async () => {
  http = new Connections(await server.app.listen({ host: '127.0.0.1', port: 0 }), { connections: 200, pipelining: 1 });
});
afterAll(() => http.destroy());

async function ask(method: 'GET' | 'POST' | 'PUT', path: string, headers: object = {}, json?: object) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await http.request({
    method,
    path,
    headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    body: json === undefined ? null : JSON.stringify(json),
  });
  return { status: statusCode, headers: answered, text: await body.text() };
}

/** A partner with a wallet whose account somebody can lock. */
async function newBank() {
  const partner = await server.newPartner({ float: 10_000 });
  const made = await server.call('POST', '/v2/partner/wallet', {
    headers: partner.headers,
    payload: { kyc: { firstName: 'Ada', lastName: 'Obi' } },
  });
  const { Reference: wallet } = made.json<{ Reference: string }>();
  const { rows } = await server.owner.query(
    'select account_id::int as account from wallets.partner_wallet where reference = $1',
    [wallet],
  );
  const credit = (reference: string) =>
    ask('POST', `/v2/partner/wallet/${wallet}/credit`, partner.headers, { amount: 1, reference });
  const balance = async (): Promise<number> => {
    const read = await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers });
    return read.json().Wallet.TotalAmount;
  };
  return { headers: partner.headers, wallet, account: Number(rows[0].account), credit, balance };
}

it('refuses what it cannot answer in time, keeps a place for others, and does what it let in', async () => {
  const [stuck, other] = [await newBank(), await newBank()];
  const locker = await openLocker(server.owner);
  await locker.lock('ledger.account', [stuck.account]);
  const answers = Array.from({ length: 150 }, (_, n) => stuck.credit(`flood-${n}`));
  await locker.waitedFor();
  const refused = await Promise.race(answers);
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
  expect(JSON.parse(refused.text)).toMatchObject({ success: false, errorCode: 'BUSY', errors: [expect.any(String)] });

  expect((await other.credit('beside-it')).status).toBe(200);
  expect((await stuck.credit('one-more')).status).toBe(503);
  expect((await ask('GET', '/health/ready', stuck.headers)).status).toBe(200);
  expect((await ask('GET', '/.well-known/jwks.json', stuck.headers)).status).toBe(200);
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  expect((await ask('GET', '/operator/v1/partners', { ...stuck.headers, ...operator })).status).toBe(200);
  expect((await ask('POST', '/api/v1/auth/token', {}, { client_id: 'app_x', client_secret: 'y' })).status).toBe(401);

  await locker.release();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  const done = statuses.filter((status) => status === 200).length;
  expect(done).toBeGreaterThanOrEqual(PLACES / 2);
  expect(statuses.filter((status) => status === 503).length).toBe(150 - done);
  expect(await stuck.balance()).toBe(done);
  await eventually(() => expect(server.logged).toContain('requests refused: the server is busy'));
  const metrics = (await ask('GET', '/metrics')).text;
  expect(Number(/^paytag_requests_refused_total (\d+)$/m.exec(metrics)?.[1])).toBe(151 - done);
  const measured = metrics.matchAll(/^http_server_request_duration_seconds_count\{.*status_code="503".*\} (\d+)$/gm);
  expect(Array.from(measured, ([, count]) => Number(count)).reduce((sum, count) => sum + count)).toBe(151 - done);
  expect((await stuck.credit('after-it')).status).toBe(200);
});

it('does not do what nobody waits for any more', async () => {
  const bank = await newBank();
  const locker = await openLocker(server.owner);
  await locker.lock('ledger.account', [bank.account]);
  const { port, hostname } = new URL(server.app.listeningOrigin);
  const { 'x-client-id': clientId, 'x-api-key': apiKey } = bank.headers;
  const connections = promisify(server.app.server.getConnections.bind(server.app.server));
  const before = await connections();
  const sockets = Array.from({ length: 40 }, (_, n) => {
    const body = JSON.stringify({ amount: 1, reference: `left-${n}` });
    const head = `POST /v2/partner/wallet/${bank.wallet}/credit HTTP/1.1\r\nhost: x\r\nx-client-id: ${clientId}\r\nx-api-key: ${apiKey}`;
    const socket = connect(Number(port), hostname);
    socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return socket;
  });
  await locker.waitedFor();
  for (const socket of sockets) socket.destroy();
  await eventually(async () => expect(await connections()).toBeLessThanOrEqual(before));
  await locker.release();
  await eventually(async () => expect((await bank.credit('of-one-who-waits')).status).toBe(200));
  expect(await bank.balance()).toBeLessThanOrEqual(1 + (PLACES * 3) / 4);
});

it('looks up a thousand unknown credentials at once, and answers callers whom it knows meanwhile', async () => {
  const bank = await newBank();
  expect((await bank.credit('known-from-here-on')).status).toBe(200);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now()); // no time passes in which more would be looked up
  onTestFinished(() => clock.mockRestore());
  const strangers = Array.from({ length: 1500 }, (_, n) =>
    ask('GET', '/v2/partner/float', {
      'x-client-id': n % 2 === 0 ? `unknown-${n}` : bank.headers['x-client-id'], // or a key of a partner who is known
      'x-api-key': `sk_sandbox_${n}`,
    }),
  );
  expect((await bank.credit('meanwhile')).status).toBe(200);
  expect((await ask('GET', '/api/v1/tags/not.there')).status).toBe(404); // no credentials at all
  expect((await ask('POST', '/api/v1/auth/token', {}, { client_id: 'app_x', client_secret: 'y' })).status).toBe(401);
  const answers = await Promise.all(strangers);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThanOrEqual(500);
  expect(refused[0]?.headers['retry-after']).toBe('1');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
});

it('lets others in while another company does not answer', async () => {
  const [waiting, other] = [await newBank(), await newBank()];
  const waves = 3;
  const ofAWave = PLACES / 2;
  const late = { answer: 'slow', times: waves * ofAWave, delayMs: 3000 };
  expect((await ask('PUT', '/v2/sandbox/providers/bvn', waiting.headers, late)).status).toBe(200);
  const left = async (): Promise<number> => {
    const read = await ask('GET', '/v2/sandbox/providers', waiting.headers);
    return JSON.parse(read.text).disturbed.find((one: { provider: string }) => one.provider === 'bvn')?.timesLeft ?? 0;
  };
  const person = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1990-05-17', phone: '+2348031234567' };
  const slow: ReturnType<typeof ask>[] = [];
  for (let wave = 1; wave <= waves; wave++) {
    while (slow.length < wave * ofAWave) {
      const bvn = `2221234${String(slow.length).padStart(4, '0')}`;
      slow.push(ask('POST', '/v2/sso/create-tag', waiting.headers, { ...person, bvn }));
    }
    await eventually(async () => expect(await left()).toBe((waves - wave) * ofAWave));
  }
  expect((await other.credit('meanwhile')).status).toBe(200);
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 200));
});
