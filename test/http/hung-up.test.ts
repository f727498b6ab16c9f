import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { waitersFor } from '../support/row-locks.ts';

const server = useApp();
let port = 0;
beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

type Line = { level: number; msg: string; err?: object; [member: string]: unknown };
const lines = () =>
  server.logged
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));

it('a client that hangs up in the middle of its body is not logged as a database that is down', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const arrived = once(server.app.server, 'request');
  socket.write(
    'POST /api/v1/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"cl',
  );
  await arrived;
  socket.destroy();
  await eventually(() => expect(server.logged).toContain('the client hung up'));
  expect(lines().filter(({ level }) => level >= 40)).toEqual([]);
  expect(server.logged).not.toContain('STORE_UNAVAILABLE');
});

it('a client that hangs up before its answer has a line in the access log, with 499, and nothing of what it sent', async () => {
  const { headers } = await server.newPartner();
  const locker = await server.owner.connect();
  const { rows } = await locker
    .query(`begin; lock table ledger.account in access exclusive mode`)
    .then(() => locker.query<{ pid: number }>('select pg_backend_pid() as pid'));
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const sent = Object.entries({ host: 'x', 'x-request-id': 'gone', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`GET /v2/partner/float?secret=planted HTTP/1.1\r\n${sent.join('\r\n')}\r\n\r\n`);
  await eventually(async () => expect(await waitersFor(server.owner, rows[0]?.pid ?? 0)).toBe(1));
  socket.destroy();
  const line = () => lines().find(({ requestId, route }) => requestId === 'gone' && route !== undefined);
  await eventually(() => expect(line()).toBeDefined());
  await locker.query('rollback');
  locker.release();
  expect(line()).toMatchObject({
    level: 30,
    msg: 'the client hung up before its answer',
    method: 'GET',
    route: '/v2/partner/float',
    status: 499,
    durationMs: expect.any(Number),
    principal: expect.stringMatching(/^partner:/),
  });
  expect(JSON.stringify(line())).not.toMatch(/planted|sk_sandbox/);
  expect(lines().filter(({ requestId, route }) => requestId === 'gone' && route !== undefined)).toHaveLength(1);
});
