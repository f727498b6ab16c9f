import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import {
  complete,
  createPayTag,
  logIn,
  newCustomer,
  newPerson,
  PASSWORD,
  validatedSession,
} from '../../support/onboarding.ts';

const server = useSharedApp();

describe('200', () => {
  it('answers the registered redirect URL in plain text, its own query kept, with the code added', async () => {
    const partner = await server.newPartner({ redirectUrl: 'https://partner.example/cb?next=%2Fhome%20page&flag' });
    const { paytag } = await newCustomer(server, partner);
    const answer = await logIn(server, partner, paytag);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toMatch(/^https:\/\/partner\.example\/cb\?next=%2Fhome%20page&flag&auth-code=[\w-]{43}$/);
  });

  it('begins the query where the redirect URL has none', async () => {
    const partner = await server.newPartner({ redirectUrl: 'https://partner.example/cb' });
    const { paytag } = await newCustomer(server, partner);
    expect((await logIn(server, partner, paytag)).body).toMatch(
      /^https:\/\/partner\.example\/cb\?auth-code=[\w-]{43}$/,
    );
  });

  it('takes a PayTag with its @ and in capitals, and no scope for profile', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const { headers } = partner;
    const payload = { paytag: `@${paytag.toUpperCase()}`, password: PASSWORD };
    expect((await server.call('POST', '/v2/sso/auth-code', { headers, payload })).statusCode).toBe(200);
  });

  it('gives another code to the same request under the same Idempotency-Key', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const headers = { ...partner.headers, 'idempotency-key': 'login-1' };
    const first = await logIn(server, { ...partner, headers }, paytag);
    const second = await logIn(server, { ...partner, headers }, paytag);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(second.body).not.toBe(first.body);
  });
});

describe('state', () => {
  it.each(['af0ifjsldkj', 'a b&c=d#e%', ' a ', 'ọ̀kan ₦ 🦜', 'x'.repeat(512)])(
    'comes back as it was given: %s',
    async (state) => {
      const partner = await server.newPartner();
      const { paytag } = await newCustomer(server, partner);
      const login = { headers: partner.headers, payload: { paytag, password: PASSWORD } };
      const query = `?state=${encodeURIComponent(state)}`;
      const byQuery = await server.call('POST', `/v2/sso/auth-code${query}`, login);
      const payload = { ...login.payload, state };
      const byBody = await server.call('POST', '/v2/sso/auth-code', { ...login, payload });
      for (const answer of [byQuery, byBody]) {
        expect(answer.body).toMatch(
          /^https:\/\/partner\.example\/callback\?from=paytag&auth-code=[\w-]{43}&state=[^&#]+$/,
        );
        expect(new URL(answer.body).searchParams.get('state')).toBe(state);
      }
    },
  );
});

describe('200 with what is optional left empty', () => {
  it.each([
    ['?scope=&state=&code_challenge=&code_challenge_method=', {}],
    ['?scope=%20%20', { state: null, code_challenge: null, code_challenge_method: null }],
    ['', { state: '', code_challenge: '  ', code_challenge_method: '' }],
  ])('%s and %j ask for nothing', async (query, more) => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const payload = { paytag: ` ${paytag} `, password: PASSWORD, ...more };
    const answer = await server.call('POST', `/v2/sso/auth-code${query}`, { headers: partner.headers, payload });
    expect(answer.statusCode).toBe(200);
    const { searchParams } = new URL(answer.body);
    expect([...searchParams.keys()]).toEqual(['from', 'auth-code']);
    const code = searchParams.get('auth-code');
    const url = `/v2/sso/token?auth-code=${code}&code_verifier=`;
    expect((await server.call('GET', url, { headers: partner.headers })).statusCode).toBe(200);
  });
});

describe('a password', () => {
  it('is what was written, the blanks around it included', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    const session = await validatedSession(server, partner, person);
    const password = ` ${PASSWORD} `;
    expect((await complete(server, partner, session, { paytag: person.paytag, password })).statusCode).toBe(200);
    expect((await logIn(server, partner, person.paytag)).statusCode).toBe(401);
    expect((await logIn(server, partner, person.paytag, password)).statusCode).toBe(200);
  });

  it('of blanks alone is none', async () => {
    const answer = await logIn(server, await server.newPartner(), 'ada', '    ');
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'password: must not be empty']);
  });
});

describe('401', () => {
  it('refuses a wrong password, as JSON', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const answer = await logIn(server, partner, paytag, 'Kilimanjaro-78');
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toMatchObject({ success: false, errorCode: 'INVALID_CUSTOMER_CREDENTIALS' });
  });

  it('says that a customer whom a partner made has no password yet', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    const answer = await logIn(server, partner, person.paytag);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ errorCode: 'PASSWORD_NOT_SET' });
  });

  it('refuses wrong partner credentials before anything else', async () => {
    const partner = await server.newPartner();
    const headers = { ...partner.headers, 'x-api-key': 'sk_sandbox_wrong' };
    const answer = await server.call('POST', '/v2/sso/auth-code', { headers, payload: {} });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ errorCode: 'INVALID_CREDENTIALS' });
  });
});

describe('429', () => {
  it('refuses the sixth guess in the one shape, with the seconds to wait', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    for (let n = 0; n < 5; n++) expect((await logIn(server, partner, paytag, 'Kilimanjaro-78')).statusCode).toBe(401);
    const answer = await logIn(server, partner, paytag);
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answer.json()).toMatchObject({ success: false, errorCode: 'TOO_MANY_REQUESTS' });
  });
});

describe('503', () => {
  it('when more logins come than passwords can be checked, for an unknown PayTag as for a known one', async () => {
    const partner = await server.newPartner();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => logIn(server, partner, `nobody.has.${n}`)));
    const statuses = new Set(answers.map(({ statusCode }) => statusCode));
    expect(statuses).toEqual(new Set([404, 503]));
    const busy = answers.find(({ statusCode }) => statusCode === 503);
    expect(busy?.json().errorCode).toBe('BUSY');
    expect(busy?.headers['retry-after']).toBeDefined();
  });
});
