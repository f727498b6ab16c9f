import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';

const server = useApp();
let port = 0;
beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

/** Writes so many requests at once on one connection. Resolves to what came back until it was ended, or `answers` had come. */
async function pipelined(requests: number, path: string, answers: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // it may be ended while we write
  let received = '';
  socket.on('data', (part) => {
    received += part.toString();
    if (received.split('HTTP/1.1 200').length > answers) socket.end();
  });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(requests));
  await once(socket, 'close');
  return received;
}

it('a few requests that are sent before the answers are all answered', async () => {
  expect((await pipelined(20, '/health/live', 20)).split('HTTP/1.1 200')).toHaveLength(21);
});

it('a connection that sends hundreds without waiting for answers is ended, and the log says so', async () => {
  const answered = (await pipelined(500, '/v2/openapi.json', 500)).split('HTTP/1.1 200').length - 1;
  expect(answered).toBeLessThan(100);
  expect(server.logged).toContain('too many requests on one connection');
  expect((await server.call('GET', '/health/live')).statusCode).toBe(200);
});
