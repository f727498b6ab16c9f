import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeConnectionsOnShutdown } from '#http/response-headers.ts';

it('ends the connection of a request that was under way when the server began to close, and keeps it before', async () => {
  const app = Fastify();
  closeConnectionsOnShutdown(app);
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
  const closed = app.close();
  const answer = await slow;
  expect([await answer.text(), answer.headers.get('connection')]).toEqual(['ok', 'close']);
  await closed;
});
