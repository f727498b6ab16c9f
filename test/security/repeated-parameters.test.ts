import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { newCustomer, PASSWORD } from '../support/onboarding.ts';

const server = useSharedApp();
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const OURS = challengeOf('v'.repeat(43));
const THEIRS = challengeOf('w'.repeat(43));

let partner: TestPartner;
let paytag = '';
beforeAll(async () => {
  partner = await server.newPartner();
  ({ paytag } = await newCustomer(server, partner));
});
const logIn = (query: string, body: object = {}) =>
  server.call('POST', `/v2/sso/auth-code${query}`, {
    headers: partner.headers,
    payload: { paytag, password: PASSWORD, ...body },
  });
const INVALID = [400, 'INVALID_PARAMETER'];

describe('V15.3.7: a parameter that stands twice never silently takes the place of the other', () => {
  it.each([
    ['another challenge in the query than in the body', `?code_challenge=${THEIRS}`, { code_challenge: OURS }],
    ['another state in the query than in the body', '?state=theirs', { state: 'ours' }],
    ['two challenges in the query', `?code_challenge=${THEIRS}&code_challenge=${OURS}`, {}],
    ['two states in the query', '?state=theirs&state=ours', {}],
    ['two scopes', '?scope=profile&scope=profile', {}],
    ['a state that is a list', '', { state: ['theirs', 'ours'] }],
  ])('at the login: %s', async (_what, query, body) => {
    const answer = await logIn(query, body);
    expect([answer.statusCode, answer.json().errorCode]).toEqual(INVALID);
  });

  it('the same in both is one', async () => {
    const answer = await logIn(`?code_challenge=${OURS}&state=ours`, { code_challenge: OURS, state: 'ours' });
    expect(answer.statusCode).toBe(200);
    expect(new URL(answer.body).searchParams.getAll('state')).toEqual(['ours']);
  });

  it.each([
    '/v2/sso/token?auth-code=a&auth-code=b',
    '/v2/sso?session=a&session=b',
    '/v2/sso/verify-tag?paytag=a&paytag=b',
  ])('in a query: %s', async (url) => {
    const answer = await server.call('GET', url, { headers: partner.headers });
    expect([answer.statusCode, answer.json().errorCode]).toEqual(INVALID);
  });

  it('in a form: two client ids', async () => {
    const { client_id, client_secret } = await newApplication(server);
    const payload = new URLSearchParams([
      ['client_id', 'app_theirs'],
      ['client_id', client_id],
      ['client_secret', client_secret],
    ]).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await server.call('POST', '/api/v1/auth/token', { headers, payload })).statusCode).toBe(400);
  });

  it('in headers: two API keys, of which one is right', async () => {
    const headers = { ...partner.headers, 'x-api-key': [partner.apiKey, 'sk_sandbox_other'] as unknown as string };
    expect((await server.call('GET', '/v2/partner/float', { headers })).statusCode).toBe(400);
  });
});
