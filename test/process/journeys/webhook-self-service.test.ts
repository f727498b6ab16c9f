import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, type Method, remotePartner } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { serverEnv } from '../../support/process.ts';
import { isSigned, type Received, useReceiver } from '../../support/receiver.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const database = useDatabase();
const receiver = useReceiver();
/** A request that a receiver of the sandbox got. */
interface Kept {
  status: number;
  headers: Record<string, string>;
  body: string;
}

let server: ServedHere;
let call: Client;
let acme: Awaited<ReturnType<typeof remotePartner>> & { webhookSecret?: string };
let wallet: string;

const at = (method: Method, path: string, json?: object) =>
  call(method, `/v2/partner${path}`, {
    headers: acme.headers,
    ...(json === undefined ? {} : { json }),
  });
const credit = (reference: string) => at('POST', `/wallet/${wallet}/credit`, { amount: 5, reference });
const arrived = (text: string) => receiver.waitFor(({ body }) => body.includes(text));
const verified = (request: Received, secret: string): unknown =>
  new Webhook(secret).verify(request.body.toString('utf8'), request.headers as Record<string, string>);
const deliveries = async (query: string): Promise<number> =>
  Number((await at('GET', `/webhook/deliveries?${query}`)).body['count']);

beforeAll(async () => {
  server = await serveHere({ ...serverEnv(database.url), WEBHOOK_BACKOFF_BASE_MS: '1' });
  call = clientOf(server.url);
  acme = await remotePartner(call, { name: 'Acme', float: 100 });
  const opened = await at('POST', '/wallet', { kyc: { firstName: 'Ada', lastName: 'Obi' } });
  wallet = String(opened.body['Reference']);
});
afterAll(() => server?.stop());

it('1. events from before there is a URL are held, and arrive when there is one', async () => {
  await credit('early');
  expect((await at('GET', '/webhook')).body).toMatchObject({ status: 'ACTIVE', pending: 1 });
  expect((await at('PUT', '/webhook', { url: receiver.url })).status).toBe(200);
  expect(await isSigned(await arrived('"early"'), acme.clientId)).toBe(true);
});

it('2. a test event arrives as every event does, and moves no money', async () => {
  const sent = await at('POST', '/webhook/test');
  const request = await arrived(String(sent.body['reference']));
  expect(verified(request, acme.webhookSecret ?? '')).toMatchObject({ event: 'webhook.test', data: { Test: true } });
  expect(await isSigned(request, acme.clientId)).toBe(true);
});

it('3. while paused nothing arrives; after the resume the held events do', async () => {
  await at('POST', '/webhook/pause', { reason: 'we move house' });
  await credit('while-paused');
  expect((await at('GET', '/webhook')).body).toMatchObject({ status: 'PAUSED', pauseReason: 'we move house' });
  await eventually(async () => expect(await deliveries('status=PENDING')).toBe(1)); // and the arrival is on record
  await at('POST', '/webhook/resume');
  await arrived('"while-paused"');
});

it('4. what failed five times is seen, replayed once, and arrives', async () => {
  receiver.answer(() => 503);
  await credit('unlucky');
  await eventually(async () => expect(await deliveries('status=FAILED&error=status 5xx')).toBe(1));
  receiver.reset();
  const dry = await at('POST', '/webhook/replay', { error: 'status 503', dryRun: true });
  expect(dry.body).toMatchObject({ dryRun: true, matched: 1, replayed: 0 });
  const both = await Promise.all([at('POST', '/webhook/replay', {}), at('POST', '/webhook/replay', {})]);
  const replayed = both.map(({ body }) => body['replayed'] ?? 0); // one that finds the other at work is 503
  expect(replayed).toEqual(expect.arrayContaining([0, 1]));
  await arrived('"unlucky"');
  await eventually(async () => expect(await deliveries('status=PENDING')).toBe(0));
  expect(receiver.requests).toHaveLength(1);
});

it('5. after a rotation the old secret and the new one both verify', async () => {
  const rotated = await at('POST', '/webhook/secret/rotate');
  await credit('rotated');
  const request = await arrived('"rotated"');
  for (const secret of [acme.webhookSecret ?? '', String(rotated.body['webhookSecret'])]) {
    expect(verified(request, secret)).toMatchObject({ event: 'wallet.credited' });
  }
});

it('6. another endpoint may be a receiver of the sandbox, which has what it was sent, signed with its own secret', async () => {
  const hooks = () => call('GET', '/v2/sandbox/hooks', { headers: acme.headers });
  const { urls } = (await hooks()).body as { urls: Record<string, string> };
  const url = `${server.url}${new URL(urls['flaky'] ?? '').pathname}`;
  const added = await at('POST', '/webhook/endpoints', { url, events: ['wallet.credited'], ordered: true });
  expect(added.status).toBe(201);
  for (const reference of ['hooked-1', 'hooked-2']) await credit(reference);
  const kept = await eventually(async () => {
    const { requests } = (await hooks()).body as { requests: Kept[] };
    expect(requests.map(({ status }) => status)).toEqual([200, 500, 500, 200, 500, 500]);
    return requests;
  });
  const places = kept.map(({ headers }) => Number(headers['webhook-sequence']));
  expect(places).toEqual(places.toSorted((one, next) => next - one)); // the newest first
  for (const { headers, body } of kept) {
    const told = new Webhook(String(added.body['webhookSecret'])).verify(body, headers);
    expect(told).toMatchObject({ event: 'wallet.credited' });
  }
});
