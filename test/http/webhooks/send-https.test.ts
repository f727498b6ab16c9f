import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressPolicy, createSender } from '#modules/webhooks';
import { firstIsDead, useHttp2Server } from '../../support/http2-server.ts';

const HOST = 'secure.example';
const BODY = Buffer.from('{"event":"wallet.credited","data":{"Comment":"₦"}}');
const server = useHttp2Server(HOST);

let sender: ReturnType<typeof createSender>;
const send = () => sender.send(`https://${HOST}:${server.port}/hook`, { 'content-type': 'application/json' }, BODY);

beforeEach(() => {
  sender = createSender({
    timeoutMs: 3_000,
    allows: addressPolicy(['127.0.0.0/8']),
    resolve: async () => ['127.0.0.1'],
    connectionsPerOrigin: 4,
  });
});
afterEach(() => sender.close());

describe('a receiver whose certificate is trusted', () => {
  test('is sent the bytes', async () => {
    expect(await send()).toMatchObject({ statusCode: 200, error: null });
    expect(server.received).toMatchObject([{ body: BODY.toString() }]);
  });

  test('is sent each of several at once over a connection of its own', async () => {
    const allCame = Promise.withResolvers<void>();
    server.answer(() => {
      if (server.received.length === 3) allCame.resolve();
      return allCame.promise;
    });
    await Promise.all([send(), send(), send()]);
    expect(new Set(server.received.map(({ connection }) => connection)).size).toBe(3);
  });

  test('whose connection went dead is met over a new one by the next attempt', async () => {
    server.answer(firstIsDead);
    expect(await send()).toMatchObject({ error: 'timeout' });
    expect(await send()).toMatchObject({ error: null });
    expect(server.received).toMatchObject([
      { httpVersion: '1.1', connection: 1 },
      { httpVersion: '1.1', connection: 2 },
    ]);
  });
});
