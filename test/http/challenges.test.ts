import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { customerToken, newCustomer } from '../support/onboarding.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';

const server = useApp();
type Call = Parameters<typeof server.call>;

const challengeOf = async (...call: Call) => {
  const answer = await server.call(...call);
  return [answer.statusCode, answer.headers['www-authenticate']];
};
const apiKey = [401, 'ApiKey realm="paytag"'];
const noToken = [401, 'Bearer realm="paytag"'];
const badToken = [401, 'Bearer realm="paytag", error="invalid_token"'];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

it('every operation that needs credentials names the scheme when there are none', async () => {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  const secured = documents
    .flatMap(operationsOf)
    .filter(
      ({ operation: { security = [] } }) => security.length > 0 && security.every((one) => Object.keys(one).length > 0),
    );
  expect(secured.length).toBeGreaterThan(90);
  for (const { method, path, operation } of secured) {
    const url = path.replaceAll(/\{\w+\}/g, 'something');
    const expected = path.startsWith('/v2') && !path.startsWith('/v2/sandbox/application') ? apiKey : noToken;
    expect([path, await challengeOf(method as Call[0], url)]).toEqual([path, expected]);
    expect(operation.responses['401']?.headers).toHaveProperty('WWW-Authenticate');
    expect(operation.responses['429']?.headers).toHaveProperty('Retry-After');
  }
});

describe('a customer’s operation', () => {
  it('distinguishes an invalid token, a missing one and a wrong partner key', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const token = await customerToken(server, partner, paytag);
    const ask = (headers: Record<string, string>) => challengeOf('GET', '/v2/sso/wallet', { headers });
    expect(await ask(partner.headers)).toEqual(noToken);
    expect(await ask({ ...partner.headers, authorization: 'Basic YTpi' })).toEqual(noToken);
    expect(await ask({ ...partner.headers, ...bearer('x.y.z') })).toEqual(badToken);
    expect(await ask({ ...partner.headers, ...bearer(`${token}x`) })).toEqual(badToken);
    expect(await ask({ ...partner.headers, 'x-api-key': 'sk_sandbox_wrong', ...bearer(token) })).toEqual(apiKey);
    expect(await ask({ ...partner.headers, ...bearer(token) })).toEqual([200, undefined]);
    server.clock.advance(1800 * 1000);
    expect(await ask({ ...partner.headers, ...bearer(token) })).toEqual(badToken);
  });

  it('that logs them in answers a wrong password and a bad code as it answers a wrong key', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const { headers } = partner;
    const payload = { paytag, password: 'not her password' };
    expect(await challengeOf('POST', '/v2/sso/auth-code', { headers, payload })).toEqual(apiKey);
    expect(await challengeOf('GET', '/v2/sso/token?auth-code=nothing', { headers })).toEqual(apiKey);
  });
});

describe('an application’s operation', () => {
  it('distinguishes an invalid token, a missing one, and a wrong secret with a valid token', async () => {
    const { headers } = await newApplication(server);
    const url = '/api/v1/applications/secret/rotate';
    const payload = { client_secret: 'not its secret' };
    expect(await challengeOf('POST', url, { payload })).toEqual(noToken);
    expect(await challengeOf('POST', url, { payload, headers: bearer('x.y.z') })).toEqual(badToken);
    expect(await challengeOf('POST', url, { payload, headers })).toEqual(noToken);
  });

  it('that is public asks for no token', async () => {
    expect(await challengeOf('GET', '/api/v1/tags/nobody-here')).toEqual([404, undefined]);
  });
});

it('the token endpoint asks for HTTP Basic when that was tried and refused, and not otherwise', async () => {
  const { client_id, client_secret } = await newApplication(server);
  const ask = (payload: object, headers = {}) => challengeOf('POST', '/api/v1/auth/token', { payload, headers });
  expect(await ask({}, { authorization: 'Basic YTpi' })).toEqual([401, 'Basic realm="paytag"']);
  expect(await ask({ client_id, client_secret: 'wrong' })).toEqual([401, undefined]);
  expect(await ask({ client_id, client_secret: 'wrong' }, bearer('x.y.z'))).toEqual([401, undefined]);
  expect(await ask({ client_id })).toEqual([400, undefined]);
  expect(await ask({ client_id, client_secret })).toEqual([200, undefined]);
});

it('the operator’s operations ask for the operator’s token', async () => {
  const url = '/operator/v1/ledger/check';
  expect(await challengeOf('GET', url)).toEqual(noToken);
  expect(await challengeOf('GET', url, { headers: bearer('wrong') })).toEqual(badToken);
  expect(await challengeOf('GET', url, { headers: bearer(OPERATOR_TOKEN) })).toEqual([200, undefined]);
});
