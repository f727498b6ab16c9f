import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { loggedIn } from '../support/wallets.ts';

const server = useApp();
/** After it nothing is remembered of who calls. */
const COLD_AFTER_MS = 1_500;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Nobody signed it. */
const forged = (claims: object) => ({
  authorization: `Bearer ${part({ alg: 'ES256', kid: 'nobody' })}.${part(claims)}.${'A'.repeat(86)}`,
});
const claims = [{ jti: 'no id', sub: 'no id' }, { jti: 7, sub: null }, { jti: "'" }, {}];

it('V9.1.1: what stands in a token that nobody signed is looked up for its sender alone: nobody else is refused', async () => {
  const { headers } = await loggedIn(server, await server.newPartner());
  const application = await newApplication(server);
  server.clock.advance(COLD_AFTER_MS);
  const calls = [
    ['/v2/sso/wallet', headers, 200],
    ['/api/v1/wallet', application.headers, 200],
    ...claims.map((given) => ['/v2/sso/wallet', { ...headers, ...forged(given) }, 401] as const),
    ...claims.map((given) => ['/api/v1/wallet', forged(given), 401] as const),
  ] as const;
  const answers = await Promise.all(calls.map(([url, sent]) => server.call('GET', url, { headers: sent })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(calls.map(([, , status]) => status));
});

it('the keys of a partner are looked at before anything of a customer', async () => {
  const { headers } = await loggedIn(server, await server.newPartner());
  const wrong = { ...headers, 'x-api-key': `${headers['x-api-key']}x` };
  for (const sent of [wrong, { ...wrong, ...forged({ jti: 'no id' }) }]) {
    server.clock.advance(COLD_AFTER_MS);
    const answer = await server.call('GET', '/v2/sso/wallet', { headers: sent });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'ApiKey realm="paytag"']);
  }
});
