import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeServers, createDrain } from '#http/drain.ts';
import { closeConnectionsOnShutdown } from '#http/response-headers.ts';

it('ends connections with the answers to what was under way and to what still comes, once the process is about to end, and keeps them before', async () => {
  const app = Fastify();
  const drain = createDrain();
  closeConnectionsOnShutdown(app, drain);
  const entered = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  app.addHook('preClose', async () => closing.resolve());
  app.get('/quick', async () => 'ok');
  app.get('/slow', async () => {
    entered.resolve();
    await closing.promise;
    return 'ok';
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const quick = await fetch(`${origin}/quick`);
  expect([await quick.text(), quick.headers.get('connection')]).toEqual(['ok', 'keep-alive']);
  const slow = fetch(`${origin}/slow`);
  await entered.promise;
  drain.begin();
  const late = await fetch(`${origin}/quick`);
  expect([await late.text(), late.headers.get('connection')]).toEqual(['ok', 'close']);
  const closed = app.close();
  const answer = await slow;
  expect([await answer.text(), answer.headers.get('connection')]).toEqual(['ok', 'close']);
  await closed;
});

it('ends though somebody has sent half a request', async () => {
  const app = Fastify();
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  const accepted = once(app.server, 'connection');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n');
  await accepted;
  const ended = once(socket, 'close');
  socket.resume();
  await closeServers([app], 50);
  await ended;
  expect(app.server.listening).toBe(false);
});
