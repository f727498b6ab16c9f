import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { issueApplicationToken } from '#modules/clients';
import { optional, secret, text } from '#wire/text.ts';
import { credentialsIn, triesBasic } from './client-credentials.ts';
import { oauthMembers } from './oauth-error.ts';

const body = z
  .looseObject({
    client_id: optional(text(200)),
    client_secret: optional(secret.max(200)),
    grant_type: optional(text(100)).meta({ description: 'May be left out', enum: ['client_credentials'] }),
    scope: optional(text(1000)).meta({ description: 'There are none: leave it out' }),
  })
  .meta({
    description: 'client_id and client_secret, unless they are sent by HTTP Basic',
    example: {
      client_id: 'app_0f8c2d6b7a914e35b2c1d0e9f8a7b6c5',
      client_secret: 'as_sandbox_shown-this-once',
      grant_type: 'client_credentials',
    },
  });

const tokenShape = z.object({
  access_token: z.string().meta({ description: 'A JWT' }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds' }),
});

export function postAuthToken(app: ZodApp, deps: DepsOf<typeof issueApplicationToken>): void {
  app.post(
    '/auth/token',
    {
      config: { failureMembers: oauthMembers, neverShed: true },
      schema: {
        tags: ['Application identity'],
        operationId: 'createToken',
        summary: 'Exchange client credentials for an application token',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body,
        response: {
          200: tokenShape,
          ...failuresFor('INVALID_SCOPE', 'UNSUPPORTED_GRANT_TYPE', 'INVALID_CLIENT', 'APPLICATION_NOT_ACTIVE'),
        },
      },
    },
    async (request, reply) => {
      if (triesBasic(request)) request.scheme = 'Basic'; // RFC 6749 5.2: what a refused client is told
      const credentials = credentialsIn(request, request.body);
      const { grant_type: grantType, scope } = request.body;
      const { accessToken, expiresInS } = await issueApplicationToken(deps, { ...credentials, grantType, scope });
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      return { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresInS };
    },
  );
}
