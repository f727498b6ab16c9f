import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { type ClientAnswer, clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { openLocker } from '../support/row-locks.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { freezeInTransaction, waitersFor } from './kill-postgres.ts';

const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const database = useDatabase();
let proxy: TcpProxy;
let api: ServerProcess;
let direct: DatabaseHandle;
let partner = '';
let float = 0;
beforeAll(async () => {
  proxy = await startTcpProxy(database.url);
  direct = openDatabase(database.url, 4, () => {});
  api = await startServer({ ...serverEnv(proxy.url), ROLE: 'api' });
  partner = (await remotePartner(clientOf(api.url), { name: 'Acme' })).id;
  const { rows } = await direct.pool.query(
    `select id from ledger.account where kind = 'FLOAT' and currency = 'NGN' and partner_id = $1`,
    [partner],
  );
  float = Number(rows[0].id);
});
afterAll(async () => {
  await api.kill('SIGKILL');
  await direct.close();
  await proxy.close();
});

type Operation = () => Promise<ClientAnswer<Record<string, unknown>>>;

/** Several statements in one transaction: the posting, and the audit entry that goes with it. */
const fundingOf =
  (reference: string): Operation =>
  () =>
    clientOf(api.url)('POST', `/operator/v1/partners/${partner}/float`, {
      headers: operator,
      json: { amount: 1, reference },
    });
const terminate = (pid: number) => direct.pool.query('select pg_terminate_backend($1, 5000)', [pid]);
function cutAll(): void {
  proxy.goAway();
  proxy.restore();
}

/** Breaks it while one of its statements waits for a lock. */
const whileWaiting =
  (breakIt: (pid: number) => unknown) =>
  async (operation: Operation): ReturnType<Operation> => {
    const locker = await openLocker(direct.pool);
    await locker.lock('ledger.account', [float]);
    const answer = operation();
    await locker.waitedFor();
    const [pid = 0] = await waitersFor(direct.pool, locker.pid);
    await breakIt(pid);
    const answered = await answer;
    await locker.release();
    return answered;
  };

/** Breaks it between two of its statements. */
const betweenStatements =
  (breakIt: (pid: number) => unknown) =>
  async (operation: Operation): ReturnType<Operation> => {
    const frozen = await freezeInTransaction(direct.pool, api, float, operation);
    await breakIt(frozen.pid);
    await eventually(async () => {
      const { rows } = await direct.pool.query('select state from pg_stat_activity where pid = $1', [frozen.pid]);
      expect(rows).toEqual([]);
    });
    frozen.thaw();
    return await frozen.answer;
  };
const nothing = () => undefined;

it.each([
  ['whose connection is cut while a statement runs', whileWaiting(cutAll)],
  ['whose connection is cut between two statements', betweenStatements(cutAll)],
  ['whose session is ended while a statement runs', whileWaiting(terminate)],
  ['whose session is ended between two statements', betweenStatements(terminate)],
  ['of which nothing is heard between two statements', betweenStatements(nothing)],
  ['that waits too long for a lock', whileWaiting(nothing)],
])('a transaction %s answers 503 with Retry-After, and is done once when it is sent again', async (_how, broken) => {
  const operation = fundingOf(`top-up-${randomUUID()}`);
  const before = (await direct.pool.query('select posted from ledger.account where id = $1', [float])).rows[0].posted;
  const answer = await broken(operation);
  expect(answer).toMatchObject({ status: 503, body: { errorCode: 'STORE_UNAVAILABLE' } });
  expect(answer.headers['retry-after']).toBe('1');
  for (const again of [await eventually(operation), await operation()]) expect(again.status).toBe(200);
  const after = (await direct.pool.query('select posted from ledger.account where id = $1', [float])).rows[0].posted;
  expect(Number(after) - Number(before)).toBe(100);
});
