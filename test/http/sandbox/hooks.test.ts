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

it('404: a key that names nobody, another’s with a changed end, and none that is made up', async () => {
  const [partner, other] = [await server.newPartner(), await server.newPartner()];
  const keys = await Promise.all(
    [partner, other].map(async (one) => (await read(one)).urls['200']?.split('/').at(-1) ?? ''),
  );
  const [own = '', theirs = ''] = keys;
  expect(own).toMatch(/^[0-9a-f]{64}$/);
  for (const key of ['nobody', own.slice(0, 32) + theirs.slice(32), '0'.repeat(64)]) {
    const answer = await send(`https://localhost/v2/sandbox/hooks/200/${key}`, 'x');
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'RECEIVER_NOT_FOUND']);
  }
});

it('400: a mode that there is not; 401: the list to nobody without credentials', async () => {
  const { urls } = await read(await server.newPartner());
  const unknown = await send(urls['200']?.replace('/200/', '/201/') ?? '', 'x');
  expect([unknown.statusCode, unknown.json().errorCode]).toEqual([400, 'INVALID_PARAMETER']);
  expect((await server.call('GET', '/v2/sandbox/hooks')).statusCode).toBe(401);
});
