import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const server = useApp();
let port = 0;
beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

type Line = { level: number; msg: string; err?: object };
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
