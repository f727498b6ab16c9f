import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repetitions } from '../support/cases.ts';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { isSigned, useReceiver } from '../support/receiver.ts';
import { serveHere } from '../support/served.ts';

const database = useDatabase();
const receiver = useReceiver();
/** Short, and with it the lease of what a dead process had claimed. */
const env = { ...serverEnv(database.url), WEBHOOK_TIMEOUT_MS: '500' };
const servers: ServerProcess[] = [];
/** The one that runs at the end of a test, for the next to begin with: a start costs a second. */
let running: ServerProcess | undefined;
let partner: Awaited<ReturnType<typeof remotePartner>>;
let wallet: string;

async function start(role: 'all' | 'api', more: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ ...env, ...more, ROLE: role });
  servers.push(server);
  return server;
}

/** A server with a worker: the last test's, or a new one. */
async function startOrTakeOver(): Promise<ServerProcess> {
  const server = running ?? (await start('all'));
  running = undefined;
  return server;
}

const credit = async (server: ServerProcess, reference: string) => {
  const answer = await clientOf(server.url)('POST', `/v2/partner/wallet/${wallet}/credit`, {
    headers: partner.headers,
    json: { amount: 1, reference },
  });
  expect(answer.status).toBe(200);
};

const deliveriesOf = (reference: string) =>
  receiver.requests.filter(({ body }) => JSON.parse(body.toString()).data.Transaction.Reference === reference);

beforeAll(async () => {
  const server = await serveHere({ ...env, ROLE: 'api' });
  const call = clientOf(server.url);
  partner = await remotePartner(call, { name: 'Acme', webhookUrl: receiver.url, float: 1000 });
  const kyc = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  wallet = (await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers: partner.headers, json: kyc }))
    .body.Reference;
  await server.stop();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
});

describe('a process killed with -9', () => {
  it('after the commit and before any worker saw it: the event is delivered after the restart', async () => {
    const first = await start('api');
    await credit(first, 'before');
    await first.kill('SIGKILL');
    expect(deliveriesOf('before')).toHaveLength(0);

    running = await start('all');
    await eventually(() => expect(deliveriesOf('before').length).toBeGreaterThanOrEqual(1));
  });

  it('while the receiver has the request and has not answered: the event comes again after the restart', async () => {
    receiver.answer(['hang']);
    const first = await startOrTakeOver();
    await credit(first, 'during');
    await eventually(() => expect(deliveriesOf('during').length).toBeGreaterThanOrEqual(1));
    await first.kill('SIGKILL');
    const seen = deliveriesOf('during').length;

    running = await start('all');
    await eventually(() => expect(deliveriesOf('during').length).toBeGreaterThan(seen));
  });

  it('at any moment after its answer: once or more, never zero', async () => {
    receiver.reset();
    const references = Array.from({ length: repetitions({ short: 1, soak: 30 }) }, (_, round) => `round-${round}`);
    for (const reference of references) {
      const server = await startOrTakeOver();
      await credit(server, reference);
      await server.kill('SIGKILL');
    }
    running = await start('all');
    await eventually(() => expect(references.filter((reference) => deliveriesOf(reference).length === 0)).toEqual([]));
    for (const request of receiver.requests) expect(await isSigned(request, partner.clientId)).toBe(true);
  });
});

it('SIGTERM lets the request under way end, and its event is delivered by then or after', async () => {
  receiver.reset();
  const server = await startOrTakeOver();
  const blocker = new Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query(`select 1 from ledger.account where reference = $1 for update`, [wallet]);
  const answer = clientOf(server.url)('POST', `/v2/partner/wallet/${wallet}/credit`, {
    headers: partner.headers,
    json: { amount: 1, reference: 'under-way' },
  });
  await eventually(async () => {
    await blocker.query('select pg_stat_clear_snapshot()'); // else a transaction sees what it saw first
    const { rows } = await blocker.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  });

  const stopped = server.stop();
  await eventually(() => expect(server.stdout).toContain('closing'));
  await blocker.query('commit');
  await blocker.end();
  expect((await answer).status).toBe(200);
  expect(await stopped).toBe(0);
  running = await start('all');
  await eventually(() => expect(deliveriesOf('under-way').length).toBeGreaterThanOrEqual(1));
});

it('SIGTERM lets the delivery under way end', async () => {
  receiver.reset();
  await running?.stop();
  const answered = Promise.withResolvers<number>();
  receiver.answer(() => answered.promise);
  const server = await start('all', { WEBHOOK_TIMEOUT_MS: '60000' });
  await credit(server, 'graceful');
  await eventually(() => expect(deliveriesOf('graceful')).toHaveLength(1));
  const stopped = server.stop();
  await eventually(() => expect(server.stdout).toContain('closing'));
  answered.resolve(200);
  expect(await stopped).toBe(0);

  const next = await serveHere({ ...env, ROLE: 'api' });
  const listed = await clientOf(next.url)<{ items: { status: string; attempts: number }[] }>(
    'GET',
    `/operator/v1/deliveries?partnerId=${partner.id}&limit=1`,
    { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } },
  );
  expect(listed.body.items).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  await next.stop();
});
