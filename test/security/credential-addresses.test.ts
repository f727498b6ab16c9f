import { beforeEach, expect, it } from 'vitest';
import { cleanUp } from '../../src/worker/cleanup.ts';
import { type TestApp, useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { eventually } from '../support/eventually.ts';

const server = useApp();
const other = useApp({}, server);
const HOME = '203.0.113.7';
const ABROAD = '198.51.100.9';
const DAY_MS = 24 * 60 * 60 * 1000;

type Line = { event?: string; partnerId?: string; applicationId?: string; address?: string };
const alerts = () =>
  (server.logged + other.logged)
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))
    .filter(({ event }) => event === 'credential_used_from_new_address')
    .map(({ partnerId, applicationId, address }) => ({ id: partnerId ?? applicationId, address }));
const rows = async () =>
  (await server.owner.query('select credential, digest from known_addresses.known_address')).rows as {
    credential: string;
    digest: Buffer;
  }[];
/** A call with these credentials, until what it led to is written. */
async function use(app: TestApp, headers: Record<string, string>, remoteAddress: string, url = '/v2/partner/wallet') {
  expect((await app.call('GET', url, { headers, remoteAddress })).statusCode).toBe(200);
  await app.resources.knownAddresses.close();
}

beforeEach(() => server.owner.query('delete from known_addresses.known_address'));

it('V16.3.3: a key that is used from an address where it never was is an event, once, whichever process sees it', async () => {
  const { id, headers } = await server.newPartner();
  await use(server, headers, HOME);
  expect(alerts()).toEqual([]);
  await use(server, headers, HOME);
  await Promise.all([use(server, headers, ABROAD), use(other, headers, ABROAD)]);
  await use(other, headers, HOME);
  await use(server, headers, ABROAD);
  expect(alerts()).toEqual([{ id, address: ABROAD }]);
});

it('V16.3.3: what one key of a partner is used from says nothing of another', async () => {
  const { id, headers } = await server.newPartner();
  const { apiKey, id: keyId } = (await server.operate('POST', `/partners/${id}/keys`)).json();
  const second = { ...headers, 'x-api-key': apiKey };
  const before = alerts().length;
  await use(server, headers, HOME);
  await use(server, second, HOME); // where the partner was seen with its first key
  await use(server, second, '192.0.2.7');
  await use(server, headers, '192.0.2.7'); // known of the other key alone
  expect(alerts().slice(before)).toEqual([
    { id, address: '192.0.2.7' },
    { id, address: '192.0.2.7' },
  ]);
  const lines = server.logged.split('\n').filter((line) => line.includes('"event":"credential_used_from_new_address"'));
  expect(JSON.parse(lines.at(-2) ?? '{}')).toMatchObject({ partnerId: id, keyId });
});

it('V16.3.3: a key that begins where its partner never was is an event', async () => {
  const { id, headers } = await server.newPartner();
  await use(server, headers, HOME);
  const { apiKey } = (await server.operate('POST', `/partners/${id}/keys`)).json();
  const before = alerts().length;
  await use(server, { ...headers, 'x-api-key': apiKey }, ABROAD);
  expect(alerts().slice(before)).toEqual([{ id, address: ABROAD }]);
});

it('V16.3.3: so is a client secret, and a token that was taken along', async () => {
  const { applicationId: id, client_id, client_secret, headers } = await newApplication(server);
  const before = alerts().length;
  const call = { payload: { client_id, client_secret }, remoteAddress: ABROAD };
  await server.call('POST', '/api/v1/auth/token', call);
  await server.resources.knownAddresses.close();
  await use(server, headers, '2001:db8::1', '/api/v1/wallet');
  await use(server, headers, '2001:db8::2', '/api/v1/wallet'); // of the same network
  expect(alerts().slice(before)).toEqual([
    { id, address: ABROAD },
    { id, address: '2001:db8::1' },
  ]);
});

it('V16.3.3: wrong credentials teach the server no address', async () => {
  const { headers } = await server.newPartner();
  await use(server, headers, HOME);
  const before = alerts().length;
  const wrong = { ...headers, 'x-api-key': 'sk_sandbox_wrong' };
  await server.call('GET', '/v2/partner/wallet', { headers: wrong, remoteAddress: ABROAD });
  await use(server, headers, ABROAD);
  expect(alerts()).toHaveLength(before + 1);
});

it('V14.2.4: the table tells no address, is bounded, and forgets what is not used', async () => {
  const { id, headers } = await server.newPartner();
  await server.resources.knownAddresses.close();
  for (let n = 1; n <= 205; n += 1) await use(server, headers, `192.0.2.${n}`);
  const ours = (await rows()).filter(({ credential }) => credential === `partner:${id}`);
  expect(ours).toHaveLength(200);
  expect(ours.every(({ digest }) => digest.length === 32)).toBe(true);
  server.clock.advance(91 * DAY_MS);
  await cleanUp(server.resources);
  await eventually(async () => expect(await rows()).toEqual([]));
});
