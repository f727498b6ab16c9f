import { describe, expect, it } from 'vitest';
import { type Call, useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { listed } from '../support/cases.ts';
import { eventually } from '../support/eventually.ts';
import { completeReset, newPerson, OTP, PASSWORD, startSession, validatedReset } from '../support/onboarding.ts';
import { scrape } from '../support/served.ts';
import { loggedIn } from '../support/wallets.ts';

const server = useApp();

/** How many connections read for the metrics, and whether they wait. */
const readers = async () =>
  (
    await server.owner.query<{ waits: boolean }>(
      `select wait_event_type = 'Lock' as waits from pg_stat_activity
       where application_name = 'paytag-metrics' and datname = current_database() and state = 'active'`,
    )
  ).rows;

it('V15.2.2: forty who read the metrics cost one computation, on one connection of its own, and no partner waits for it', async () => {
  const { headers } = await server.newPartner({ float: 100 });
  const holder = await server.owner.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table webhooks.breaker');
    const asked = Array.from({ length: 40 }, () => server.call('GET', '/metrics'));
    await eventually(async () => expect(await readers()).toEqual([{ waits: true }]));
    const float = await server.call('GET', '/v2/partner/float', { headers });
    expect([float.statusCode, await readers()]).toEqual([200, [{ waits: true }]]);
    await holder.query('rollback');
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.body).toMatch(/^paytag_webhook_pending 0$/m);
  } finally {
    holder.release();
  }
});

it('V15.2.2: who reads the metrics again and again does not read the database again and again', async () => {
  server.clock.stop();
  const first = (await server.call('GET', '/metrics')).body;
  await server.owner.query('alter table webhooks.breaker rename to hidden');
  for (let again = 0; again < 20; again += 1) expect((await server.call('GET', '/metrics')).body).toBe(first);
  await server.owner.query('alter table webhooks.hidden rename to breaker');
});

const FROM = '203.0.113.7';

/** The lines with a member that this call led to, without what differs from run to run. */
async function linesOf(member: 'event' | 'route', method: 'GET' | 'POST', url: string, call: Call) {
  const before = server.logged.length;
  const answer = await server.call(method, url, { ...call, remoteAddress: FROM });
  const lines = server.logged
    .slice(before)
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  return { answer, lines: lines.filter((line) => member in line) };
}
/** Events, but for the one that a call from another address is: it is written when there is time for it. */
const eventsOf = async (...call: Parameters<typeof linesOf> extends [unknown, ...infer Rest] ? Rest : never) =>
  (await linesOf('event', ...call)).lines.filter(
    ({ event, msg }) => msg === 'security event' && event !== 'credential_used_from_new_address',
  );
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The customer's id, as their token says it. */
const customerOf = ({ authorization = '' }: Record<string, string>): string =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString()).sub;

describe('V16.3.1: who tries to get in is logged as an event, with address and principal', () => {
  it('a wrong password names the customer, an unknown PayTag nobody', async () => {
    const partner = await server.newPartner();
    const { paytag, headers } = await loggedIn(server, partner);
    const customerId = customerOf(headers);
    const event = { event: 'login_failed', level: 40, address: FROM, principal: `partner:${partner.id}` };
    const logIn = (who: string) =>
      eventsOf('POST', '/v2/sso/auth-code', {
        headers: partner.headers,
        payload: { paytag: who, password: 'wrong-Wrong-1' },
      });
    expect(await logIn(paytag)).toEqual([
      expect.objectContaining({ ...event, customerId, errorCode: 'INVALID_CUSTOMER_CREDENTIALS' }),
    ]);
    const [unknown = {}] = await logIn('nobody-here');
    expect(unknown).toMatchObject({ ...event, errorCode: 'PAYTAG_NOT_FOUND' });
    expect(unknown).not.toHaveProperty('customerId');
    expect(JSON.stringify(unknown)).not.toContain('nobody-here');
  });

  it('a login that is throttled is another event than one that fails', async () => {
    const partner = await server.newPartner();
    const { paytag, headers } = await loggedIn(server, partner);
    const customerId = customerOf(headers);
    const payload = { paytag, password: 'wrong-Wrong-1' };
    const names = [];
    for (let guess = 0; guess < 6; guess += 1) {
      const [event] = await eventsOf('POST', '/v2/sso/auth-code', { headers: partner.headers, payload });
      names.push(event?.['event']);
      expect(event).toMatchObject({ customerId, address: FROM });
    }
    expect(names).toEqual([...Array(5).fill('login_failed'), 'login_throttled']);
  });

  it('a wrong code is an event', async () => {
    const partner = await server.newPartner();
    const session = await startSession(server, partner, newPerson());
    await server.call('GET', `/v2/sso/${session}/otp`, { headers: partner.headers });
    const events = await eventsOf('POST', `/v2/sso/${session}/otp`, {
      headers: partner.headers,
      payload: { otp: '654321' },
    });
    expect(events).toEqual([
      expect.objectContaining({ event: 'otp_wrong', address: FROM, principal: `partner:${partner.id}` }),
    ]);
  });

  it('credentials of every kind that are refused are events: whose they were is said by our own id', async () => {
    const partner = await server.newPartner();
    const application = await newApplication(server, 'Market');
    const wrongKey = { ...partner.headers, 'x-api-key': 'sk_sandbox_wrong' };
    const refusals = [
      await eventsOf('GET', '/v2/partner/wallet', { headers: wrongKey }),
      await eventsOf('POST', '/api/v1/auth/token', {
        payload: { client_id: application.client_id, client_secret: 'as_sandbox_wrong' },
      }),
      await eventsOf('GET', '/v2/sso/wallet', { headers: { ...partner.headers, ...bearer('a.b.c') } }),
      await eventsOf('GET', '/api/v1/wallet', { headers: bearer('a.b.c') }),
      await eventsOf('GET', '/api/v1/tags/ada', { headers: bearer('a.b.c') }),
      await eventsOf('GET', '/operator/v1/partners', { headers: bearer('guess') }),
    ];
    const address = FROM;
    expect(refusals).toEqual(
      [
        { event: 'credentials_refused', address, partnerId: partner.id, errorCode: 'INVALID_CREDENTIALS' },
        {
          event: 'credentials_refused',
          address,
          applicationId: application.applicationId,
          errorCode: 'INVALID_CLIENT',
        },
        { event: 'token_refused', address, principal: `partner:${partner.id}`, errorCode: 'INVALID_CUSTOMER_TOKEN' },
        { event: 'token_refused', address, errorCode: 'INVALID_APPLICATION_TOKEN' },
        { event: 'token_refused', address, errorCode: 'INVALID_APPLICATION_TOKEN' },
        { event: 'operator_token_refused', address, errorCode: 'INVALID_CREDENTIALS' },
      ].map((event) => [expect.objectContaining(event)]),
    );
  });
});

it('V16.3.2: a known caller that may not do something is logged, and so is a suspended one', async () => {
  const partner = await server.newPartner();
  await server.operate('POST', `/partners/${partner.id}/suspend`, { reason: 'under review' });
  expect(await eventsOf('GET', '/v2/partner/wallet', { headers: partner.headers })).toEqual([
    expect.objectContaining({ event: 'suspended_refused', address: FROM, partnerId: partner.id }),
  ]);
  expect(server.logged).toContain(`"event":"partner_suspended"`);
});

it('V16.3.1: a code that comes again, when it has become a session, is an event of its own; who logs in stands in the line', async () => {
  const partner = await server.newPartner();
  const { paytag, headers } = await loggedIn(server, partner);
  const customerId = customerOf(headers);
  const payload = { paytag, password: PASSWORD };
  const logIn = await linesOf('route', 'POST', '/v2/sso/auth-code', { headers: partner.headers, payload });
  expect(logIn.lines).toEqual([
    expect.objectContaining({ status: 200, principal: `partner:${partner.id}`, customer: customerId }),
  ]);
  const code = new URL(logIn.answer.body).searchParams.get('auth-code') ?? '';
  const exchange = () => eventsOf('GET', `/v2/sso/token?auth-code=${code}`, { headers: partner.headers });
  expect(await exchange()).toEqual([]);
  server.clock.advance(6000);
  expect(await exchange()).toEqual([expect.objectContaining({ event: 'auth_code_replayed', customerId })]);
});

it('V16.2.1: the line of a request says who asked, from where, and why it was refused', async () => {
  const partner = await server.newPartner();
  const { headers } = await loggedIn(server, partner);
  const payload = { paytag: 'nobody-here', amount: 5, reference: 'r1' };
  const { lines } = await linesOf('route', 'POST', '/v2/sso/transaction', { headers, payload });
  expect(lines).toEqual([
    expect.objectContaining({
      route: '/v2/sso/transaction',
      status: 404,
      errorCode: 'PAYTAG_NOT_FOUND',
      address: FROM,
      principal: `partner:${partner.id}`,
      customer: customerOf(headers),
    }),
  ]);
});

it('V16.3.3: a password that is replaced and an operator who is made are events', async () => {
  const partner = await server.newPartner();
  const { paytag, headers } = await loggedIn(server, partner);
  const before = server.logged.length;
  await completeReset(server, partner, await validatedReset(server, partner, paytag));
  const made = await server.operate('POST', '/operators', { name: 'Ngozi', role: 'viewer' });
  const events = server.logged
    .slice(before)
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'password_changed', customerId: customerOf(headers) }),
  );
  expect(events).toContainEqual(expect.objectContaining({ event: 'operator_created', operatorId: made.json().id }));
});

it('V16.3.3: what lets somebody act as another, raises an operator or lets money go is an event, and the owner is told', async () => {
  const partner = await server.newPartner({ float: 50 });
  const { wallet } = await loggedIn(server, partner, 50);
  const contactEmail = 'owner@partner.example';
  const { applicationId } = await newApplication(server, 'Lumen', { email: 'owner@app.example' });
  const REASON = { reason: 'as asked' };
  const { id: operatorId } = (await server.operate('POST', '/operators', { name: 'Tunde', role: 'viewer' })).json();
  const lien = (await server.operate('POST', `/wallets/${wallet}/liens`, { ...REASON, amount: 5 })).json();
  await server.operate('PATCH', `/wallets/${wallet}`, { ...REASON, status: 'PND' });
  await server.operate('POST', `/operators/${operatorId}/disable`, REASON);
  const did: [event: string, method: 'POST' | 'PATCH', path: string, body: object, who: object][] = [
    ['contact_changed', 'PATCH', `/partners/${partner.id}`, { contactEmail }, { partnerId: partner.id }],
    ['api_key_added', 'POST', `/partners/${partner.id}/keys`, {}, { partnerId: partner.id }],
    ['webhook_secret_rotated', 'POST', `/partners/${partner.id}/webhook/secret/rotate`, {}, { partnerId: partner.id }],
    [
      'partner_redirected',
      'PATCH',
      `/partners/${partner.id}`,
      { redirectUrl: 'https://a.example/cb' },
      { partnerId: partner.id },
    ],
    ['money_freed', 'PATCH', `/wallets/${wallet}`, { status: 'Enabled' }, { partnerId: partner.id }],
    ['money_freed', 'POST', `/wallets/${wallet}/liens/${lien.id}/lift`, {}, { partnerId: partner.id }],
    ['limit_lifted', 'PATCH', `/wallets/${wallet}`, { dailyLimit: 99_000_000 }, { partnerId: partner.id }],
    ['client_secret_rotated', 'POST', `/applications/${applicationId}/secret/rotate`, {}, { applicationId }],
    ['webhook_secret_rotated', 'POST', `/applications/${applicationId}/webhook/secret/rotate`, {}, { applicationId }],
    ['operator_enabled', 'POST', `/operators/${operatorId}/enable`, {}, { operatorId }],
    ['operator_role_raised', 'PATCH', `/operators/${operatorId}`, { role: 'admin' }, { operatorId }],
    ['operator_token_rotated', 'POST', `/operators/${operatorId}/rotate`, {}, { operatorId }],
  ];
  for (const [event, method, path, body, who] of did) {
    const before = server.logged.length;
    const answer = await server.operate(method, path, { ...REASON, ...body });
    expect([path, answer.statusCode < 300]).toEqual([path, true]);
    const lines = server.logged.slice(before).trim().split('\n');
    const events = lines.map((line) => JSON.parse(line)).filter((line) => line.event === event);
    expect(events).toEqual([expect.objectContaining({ event, ...who, principal: 'operator:root' })]);
  }
  const { rows } = await server.owner.query<{ kind: string; of: string }>(
    'select kind, owner_id as of from letters.letter where owner_id = any($1) order by happened_at, id',
    [[partner.id, applicationId]],
  );
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual(
    // The first contact had none before it who could be told.
    listed`
      API_KEY | CLIENT_SECRET | LIMIT_LIFTED | MONEY_FREED | MONEY_FREED | PARTNER_CHANGED | WEBHOOK_SECRET
      WEBHOOK_SECRET
    `,
  );
});

it('V16.3.1: every security event is counted, from zero on', async () => {
  const countOf = async () =>
    Number(/paytag_security_events_total\{event="token_refused"\} (\d+)/.exec(await scrape(server))?.[1]);
  const before = await countOf();
  await server.call('GET', '/api/v1/wallet', { headers: bearer('a.b.c') });
  expect(await countOf()).toBe(before + 1);
  expect(await scrape(server)).toContain('paytag_security_events_total{event="customer_frozen"} 0');
});

it('V16.2.5: no event shows a secret, a code or a contact', () => {
  expect(server.logged).not.toContain(PASSWORD);
  expect(server.logged).not.toContain(OTP);
  expect(server.logged).not.toMatch(/pc_[0-9a-f]{8}|app_[0-9a-f]{8}|sk_sandbox_|\+234803/);
});
