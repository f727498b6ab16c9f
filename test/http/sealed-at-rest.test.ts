import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { paytagBody } from '../support/paytag-body.ts';
import { everythingStored } from '../support/stored.ts';

const server = useApp();

const person = paytagBody({
  firstName: 'Ngozi',
  lastName: 'Sealed',
  phone: '08031239876',
  email: 'ngozi.sealed@example.com',
  dateOfBirth: '1991-02-03',
  address: '7 Sealed Street, Surulere',
});
const plain = [person.bvn, '+2348031239876', '8031239876', person.email, person.dateOfBirth, person.address];

it('no BVN, phone, e-mail, birth date, address, key, client id or secret stands in any table in the clear', async () => {
  const partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
  const { headers } = partner;
  const made = await server.call('POST', '/v2/partner/paytag', { headers, payload: person });
  expect(made.statusCode).toBe(200);
  const started = await server.call('POST', '/v2/sso/create-tag', { headers, payload: person });
  const { session } = started.json();
  await server.call('GET', `/v2/sso/${session}/otp?channel=email`, { headers });
  await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: '123456' } });
  const password = 'a password that is sealed';
  const completed = await server.call('POST', `/v2/sso/create-tag/${session}/complete`, {
    headers: { ...headers, 'idempotency-key': 'complete' },
    payload: { paytag: person.tag, password },
  });
  expect(completed.statusCode).toBe(200);
  const payload = { applicationName: 'Market', email: 'market.sealed@example.com' };
  const { data } = (await server.call('POST', '/api/v1/applications', { payload })).json();

  const { client_id, client_secret } = data;
  const token = (await server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } })).json();
  const subject = { externalId: 'customer-1', email: 'subject.sealed@example.com' };
  const authorization = `Bearer ${token.access_token}`;
  const registered = await server.call('POST', '/api/v1/subjects', {
    headers: { authorization, 'idempotency-key': 'subject' },
    payload: subject,
  });
  expect(registered.statusCode).toBe(201);

  const rotated = await server.call('POST', '/v2/partner/webhook/secret/rotate', {
    headers: { ...headers, 'idempotency-key': 'rotate' },
  });
  const { webhookSecret } = rotated.json();

  const keys = [partner.apiKey, partner.webhookSecret, webhookSecret, data.client_secret, data.webhookSecret];
  const secrets = [session, password, partner.clientId, client_id, ...keys];
  const stored = await everythingStored(server);
  expect(stored).toContain(person.tag);
  expect([...plain, ...secrets, payload.email, subject.email].filter((value) => stored.includes(value))).toEqual([]);
});
