import { expect, it } from 'vitest';
import { cleanUp } from '../../../src/worker/cleanup.ts';
import { useApp } from '../../support/app.ts';
import { paytagBody } from '../../support/customers.ts';
import { enterPortal } from '../../support/portal.ts';

const server = useApp();
const DAY_MS = 24 * 60 * 60 * 1000;

const counts = async () => {
  const { rows } = await server.owner.query(`
    select (select count(*)::int from idempotency.request) as requests,
      (select count(*)::int from onboarding.creation_session) as creations,
      (select count(*)::int from sessions.auth_code) as codes,
      (select count(*)::int from sessions.session) as sessions`);
  return rows[0];
};

it('expired records are deleted a day later with their personal data, and live ones stay', async () => {
  const { headers } = await server.newPartner();
  const person = paytagBody();
  const { session } = (await server.call('POST', '/v2/sso/create-tag', { headers, payload: person })).json();
  await server.call('GET', `/v2/sso/${session}/otp`, { headers });
  await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: '123456' } });
  const login = { paytag: person.tag, password: 'correct horse battery staple' };
  await server.call('POST', `/v2/sso/create-tag/${session}/complete`, {
    headers: { ...headers, 'idempotency-key': 'k1' },
    payload: login,
  });
  const redirect = await server.call('POST', '/v2/sso/auth-code', { headers, payload: login });
  const code = new URL(redirect.body).searchParams.get('auth-code');
  expect((await server.call('GET', `/v2/sso/token?auth-code=${code}`, { headers })).statusCode).toBe(200);

  await cleanUp(server.resources);
  expect(await counts()).toEqual({ requests: 1, creations: 1, codes: 1, sessions: 1 });
  server.clock.advance(DAY_MS + 2 * 60 * 60 * 1000);
  await cleanUp(server.resources);
  expect(await counts()).toEqual({ requests: 0, creations: 0, codes: 0, sessions: 0 });
});

it('a webhook secret from before a rotation is deleted when it signs no more, and not sooner', async () => {
  const { headers } = await server.newPartner();
  await server.call('POST', '/v2/partner/webhook/secret/rotate', { headers });
  const kept = async () =>
    (await server.owner.query('select count(previous_secret_sealed)::int as kept from outbox.receiver')).rows;
  await cleanUp(server.resources);
  expect(await kept()).toEqual([{ kept: 1 }]);
  server.clock.advance(DAY_MS);
  await cleanUp(server.resources);
  expect(await kept()).toEqual([{ kept: 0 }]);
});

it('that a link to webhook pages was closed is known for as long as it would have opened them', async () => {
  await (await enterPortal(server, await server.newPartner())).press('/webhooks/close');
  const kept = async () =>
    (await server.owner.query('select count(*)::int as kept from partners.closed_portal_link')).rows;
  await cleanUp(server.resources);
  expect(await kept()).toEqual([{ kept: 1 }]);
  server.clock.advance(60 * 60 * 1000 + 1);
  await cleanUp(server.resources);
  expect(await kept()).toEqual([{ kept: 0 }]);
});
