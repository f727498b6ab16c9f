import { afterEach, expect, test } from 'vitest';
import { type ProviderClient, providerClient } from '../../../src/providers/http-client.ts';
import { firstIsDead, useHttp2Server } from '../../support/http2-server.ts';

const server = useHttp2Server('provider.example');
const opened: ProviderClient[] = [];
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
});

test('a connection to a provider that went dead costs the request that was under way, not those that follow', async () => {
  const client = providerClient({ origin: `https://127.0.0.1:${server.port}`, timeoutMs: 3_000 });
  opened.push(client);
  server.answer(firstIsDead);
  await expect(client.ask({ method: 'GET', path: '/bank' })).rejects.toMatchObject({ message: 'no answer: timeout' });
  expect(await client.ask({ method: 'GET', path: '/bank' })).toEqual({ status: 200, body: {} });
  expect(server.received.map(({ connection }) => connection)).toEqual([1, 2]);
});
