import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, type TestPartner, useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { customerWithPendingClaim, pathOf, postForm, sealOf } from '../support/consent-page.ts';
import { newCustomer, OTP, PASSWORD } from '../support/onboarding.ts';

const server = useApp();
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
  return lines.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'answered') ?? {};
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
