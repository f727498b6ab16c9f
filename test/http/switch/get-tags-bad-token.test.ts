import { expect, it } from 'vitest';
import { type Answer, useApp } from '../../support/app.ts';
import { newClaim, newSides } from '../../support/claims.ts';
import { customerToken, newCustomer } from '../../support/onboarding.ts';

const server = useApp();
const resolve = (address: string, headers: Record<string, string> = {}) =>
  server.call('GET', `/api/v1/tags/${address}`, { headers });

const tokens = async () => {
  const suspended = await newSides(server);
  await server.operate('POST', `/applications/${suspended.owner.applicationId}/suspend`, { reason: 'a test' });
  const partner = await server.newPartner();
  const { paytag } = await newCustomer(server, partner);
  return {
    'of a suspended application': suspended.owner.headers.authorization,
    'of a customer': `Bearer ${await customerToken(server, partner, paytag)}`,
    'not signed by us': 'Bearer x.y.z',
    'cut short': suspended.requester.headers.authorization.slice(0, -2),
    malformed: 'Bearer',
    'of another scheme': 'Basic YTpi',
    'of no scheme': 'nonsense',
  };
};

it('a token that is not good: answers what anybody gets, and says that the token was not good', async () => {
  const sides = await newSides(server);
  const withoutTime = (answer: Answer) => ({ ...answer.json<object>(), timestamp: '' });
  const [anybody, nobody] = [await resolve(sides.tag), await resolve('nobody-here')];
  const { etag, vary, 'cache-control': cacheControl } = anybody.headers;
  for (const [what, authorization] of Object.entries(await tokens())) {
    const answer = await resolve(sides.tag, { authorization });
    expect([what, answer.statusCode, withoutTime(answer)]).toEqual([what, 200, withoutTime(anybody)]);
    const invalid = { 'www-authenticate': 'Bearer error="invalid_token"' };
    expect(answer.headers).toMatchObject({ etag, vary, 'cache-control': cacheControl, ...invalid });
    const unchanged = await resolve(sides.tag, { authorization, 'if-none-match': String(etag) });
    expect([unchanged.statusCode, unchanged.headers['vary']]).toEqual([304, 'Authorization']);
    const unknown = await resolve('nobody-here', { authorization });
    expect([unknown.statusCode, unknown.json().message]).toEqual([404, nobody.json().message]);
    expect(unknown.headers).toMatchObject(invalid);
  }
  expect(anybody.headers).not.toHaveProperty('www-authenticate');
});

it('an expired token: shows the owner’s application only the public view once its token has expired', async () => {
  const sides = await newSides(server);
  await newClaim(server, sides);
  expect((await resolve(sides.tag, sides.owner.headers)).json().data.activeClaims).toHaveLength(1);
  server.clock.advance(3_600_000);
  const answer = await resolve(sides.tag, sides.owner.headers);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Authorization' });
  expect(answer.json().data).toMatchObject({ tagString: sides.tag, activeClaims: [] });
});
