import { expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';

const server = useApp({ WEBHOOK_TIMEOUT_MS: '100' });

interface Hooks {
  urls: Record<string, string>;
  requests: { mode: string; status: number; headers: Record<string, string>; body: string }[];
}
const read = async ({ headers }: TestPartner): Promise<Hooks> =>
  (await server.call('GET', '/v2/sandbox/hooks', { headers })).json();

/** What a receiver answers to an event. */
const send = async (url: string, id: string, payload: object = { event: 'webhook.test' }) =>
  server.call('POST', new URL(url).pathname, {
    headers: { 'webhook-id': id, 'x-secret': 'not kept', 'content-type': 'application/json' },
    payload,
  });

it('answers as its mode says: 200, 500, 200 too slowly, and 500 to the first two attempts of each event', async () => {
  const partner = await server.newPartner();
  const { urls } = await read(partner);
  const statuses = async (mode: string, ids: string[]) => {
    const answers = [];
    for (const id of ids) answers.push((await send(urls[mode] ?? '', id)).statusCode);
    return answers;
  };
  expect(await statuses('200', ['a', 'a'])).toEqual([200, 200]);
  expect(await statuses('500', ['a', 'a'])).toEqual([500, 500]);
  expect(await statuses('slow', ['a'])).toEqual([200]);
  expect(await statuses('flaky', ['a', 'a', 'b', 'a', 'b', 'b'])).toEqual([500, 500, 500, 200, 500, 200]);
  expect((await read(partner)).requests.map(({ mode }) => mode).slice(0, 7)).toEqual([
    ...Array(6).fill('flaky'),
    'slow',
  ]);
});

it('keeps the bytes and the headers of webhooks, of the last hundred requests, for its partner alone', async () => {
  const [partner, other] = [await server.newPartner(), await server.newPartner()];
  const { urls } = await read(partner);
  for (let n = 1; n <= 101; n += 1) await send(urls['200'] ?? '', `event-${n}`, { n, amount: 10.5 });
  const { requests } = await read(partner);
  expect(requests).toHaveLength(100);
  expect(requests[0]).toMatchObject({ mode: '200', status: 200, body: '{"n":101,"amount":10.5}' });
  expect(requests[0]?.headers).toMatchObject({ 'webhook-id': 'event-101', 'content-type': 'application/json' });
  expect(requests[0]?.headers).not.toHaveProperty('x-secret');
  expect(requests.at(-1)?.headers['webhook-id']).toBe('event-2');
  expect((await read(other)).requests).toEqual([]);
});
