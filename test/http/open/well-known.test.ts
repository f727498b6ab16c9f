import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateSigningKeys } from '#modules/keys';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { ownPort } from '../../support/process.ts';

describe('GET /.well-known/jwks.json', () => {
  const server = useApp();
  const read = () => server.call('GET', '/.well-known/jwks.json');

  it('publishes the current key and the next one, by their public halves alone', async () => {
    const answer = await read();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    const { keys } = answer.json<{ keys: Record<string, string>[] }>();
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
    }
  });

  it('publishes a retired key while its tokens may live, and no longer', async () => {
    const kids = async () => (await read()).json<{ keys: { kid: string }[] }>().keys.map(({ kid }) => kid);
    const before = await kids();
    await rotateSigningKeys(server.resources, {
      actor: 'operator:root',
      reason: 'a test asks for it',
      immediately: true,
    });
    server.clock.advance(60_000);
    expect(await kids()).toEqual(expect.arrayContaining(before));
    server.clock.advance((24 * 60 * 60 + 5) * 1000);
    const after = await kids();
    expect(after).toHaveLength(2);
    expect(after.filter((kid) => before.includes(kid))).toHaveLength(1);
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  let issuer = '';
  beforeAll(async () => {
    issuer = `http://127.0.0.1:${await ownPort()}`;
  });
  const server = useApp(() => ({ PUBLIC_URL: issuer }));
  beforeAll(() => server.app.listen({ host: '127.0.0.1', port: Number(new URL(issuer).port) }));

  const insecure = { [oauth.allowInsecureRequests]: true };

  describe('a client that is given our address and its credentials, and nothing else', () => {
    it('gets a token by oauth4webapi, which takes it for an access token of RFC 9068', async () => {
      const { client_id: clientId, client_secret: clientSecret } = await newApplication(server);
      const discovered = await oauth.discoveryRequest(new URL(issuer), { ...insecure, algorithm: 'oauth2' });
      const as = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
      const client = { client_id: clientId };
      const authentication = oauth.ClientSecretBasic(clientSecret);
      const answer = await oauth.clientCredentialsGrantRequest(as, client, authentication, {}, insecure);
      const { access_token: token } = await oauth.processClientCredentialsResponse(as, client, answer);

      const request = new Request(`${issuer}/api/v1/wallet`, { headers: { authorization: `Bearer ${token}` } });
      const claims = await oauth.validateJwtAccessToken(as, request, `${issuer}/api`, insecure);
      expect(claims).toMatchObject({ iss: issuer, client_id: claims.sub });
      expect((await fetch(request)).status).toBe(200);
    });

    it('gets one by openid-client, with its secret in the body', async () => {
      const { client_id: clientId, client_secret: clientSecret } = await newApplication(server);
      const options = { algorithm: 'oauth2' as const, execute: [openid.allowInsecureRequests] };
      const authentication = openid.ClientSecretPost(clientSecret);
      const config = await openid.discovery(new URL(issuer), clientId, undefined, authentication, options);
      expect(await openid.clientCredentialsGrant(config)).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    });

    it('is told what is wrong with its secret in the terms of OAuth', async () => {
      const { client_id: clientId } = await newApplication(server);
      const options = { algorithm: 'oauth2' as const, execute: [openid.allowInsecureRequests] };
      const config = await openid.discovery(new URL(issuer), clientId, 'wrong', undefined, options);
      await expect(openid.clientCredentialsGrant(config)).rejects.toMatchObject({
        error: 'invalid_client',
        status: 401,
      });
    });
  });
});
