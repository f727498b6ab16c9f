import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp } from '../../../src/worker/start-worker.ts';
import { type Call, type TestApp, type TestPartner, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { customerWithPendingClaim, pathOf, postForm, sealOf } from '../../support/consent-page.ts';
import { eventually } from '../../support/eventually.ts';
import { newCustomer, OTP, PASSWORD } from '../../support/onboarding.ts';

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
const known = async () =>
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
  const ours = (await known()).filter(({ credential }) => credential === `partner:${id}`);
  expect(ours).toHaveLength(200);
  expect(ours.every(({ digest }) => digest.length === 32)).toBe(true);
  server.clock.advance(91 * DAY_MS);
  await cleanUp(server.resources);
  await eventually(async () => expect(await known()).toEqual([]));
});

const FROM = '203.0.113.9';

let partner: TestPartner;
let paytag = '';
let customer = '';

beforeAll(async () => {
  partner = await server.newPartner();
  ({ paytag } = await newCustomer(server, partner));
  const { rows } = await server.owner.query(
    `select subject.external_id as id from tags.tag join applications.subject on subject.id = tag.subject_id where handle = $1`,
    [paytag],
  );
  customer = rows[0].id;
});

/** The line of the request that this does last. */
async function lineOf(act: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const before = server.logged.length;
  await act();
  const lines = server.logged.slice(before).trim().split('\n');
  return lines.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'request answered') ?? {};
}
const call = (method: 'GET' | 'POST', url: string, options: Call = {}) =>
  server.call(method, url, { headers: partner.headers, remoteAddress: FROM, ...options });

describe('V16.3.1: whoever gets in is on record, with who, where and how', () => {
  it('a login, and the exchange of its code', async () => {
    const who = { principal: `partner:${partner.id}`, customer, address: FROM, status: 200 };
    let code = '';
    const login = await lineOf(async () => {
      const answer = await call('POST', '/v2/sso/auth-code', { payload: { paytag, password: PASSWORD } });
      code = new URL(answer.body).searchParams.get('auth-code') ?? '';
    });
    expect(login).toMatchObject({ route: '/v2/sso/auth-code', ...who });
    const exchange = await lineOf(() => call('GET', `/v2/sso/token?auth-code=${code}`));
    expect(exchange).toMatchObject({ route: '/v2/sso/token', ...who });
  });

  it('a code that is right', async () => {
    const reset = (await call('POST', '/v2/sso/password', { payload: { paytag } })).json();
    await call('GET', `/v2/sso/${reset.session}/otp`);
    const proof = await lineOf(() => call('POST', `/v2/sso/${reset.session}/otp`, { payload: { otp: OTP } }));
    expect(proof).toMatchObject({ route: '/v2/sso/:session/otp', status: 200, customer, address: FROM });
  });

  it('an approval in person', async () => {
    const { claim, person } = await customerWithPendingClaim(server);
    const form = { form: await sealOf(server, claim), by: 'password', answer: 'approve' };
    const approval = await lineOf(() =>
      postForm(server, pathOf(claim), { ...form, paytag: person.paytag, password: PASSWORD }),
    );
    expect(approval).toMatchObject({ route: '/api/v1/consent/:consentToken', status: 303 });
    expect(approval['customer']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an application that gets a token', async () => {
    const { applicationId, client_id, client_secret } = await newApplication(server);
    const payload = { client_id, client_secret };
    const token = await lineOf(() => server.call('POST', '/api/v1/auth/token', { payload, remoteAddress: FROM }));
    expect(token).toMatchObject({
      route: '/api/v1/auth/token',
      status: 200,
      application: applicationId,
      address: FROM,
    });
  });

  it('and nobody, where nobody is known', async () => {
    const unknown = await lineOf(() => call('POST', '/v2/sso/no-such-session/otp', { payload: { otp: '000000' } }));
    expect(unknown).not.toHaveProperty('customer');
  });
});
