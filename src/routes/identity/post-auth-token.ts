import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorTable } from '#errors';
import type { FailureMembers } from '#http/failures.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError, type ErrorCode } from '#lib/domain-error.ts';
import { issueApplicationToken } from '#modules/clients';
import { optional, secret, text } from '#wire/text.ts';

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
      if (triesBasic(request)) request.scheme = 'Basic'; // RFC 6749 5.2: WWW-Authenticate of a refused client
      const credentials = credentialsIn(request, request.body);
      const { grant_type: grantType, scope } = request.body;
      const { accessToken, expiresInS } = await issueApplicationToken(deps, { ...credentials, grantType, scope });
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      return { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresInS };
    },
  );
}

interface TokenRequest {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  [other: string]: unknown;
}

/** Whether a client authenticates by HTTP Basic. A header of another scheme, e.g. the token it has so far, says nothing here. */
const triesBasic = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^Basic(?: |$)/i.test(headers.authorization ?? '');

/**
 * The client's credentials, from the body or from HTTP Basic (RFC 6749 2.3.1): one of them, never both.
 *
 * @throws DomainError INVALID_PARAMETER, also for a form in which a member stands twice (RFC 6749 3.2)
 */
function credentialsIn(
  request: Pick<FastifyRequest, 'headers'>,
  form: TokenRequest,
): { clientId: string; clientSecret: string } {
  const { headers } = request;
  if (headers['content-type']?.toLowerCase().includes('form') && Object.values(form).some(Array.isArray)) {
    throw new DomainError('INVALID_PARAMETER', 'a member of the form stands twice');
  }
  const { client_id: clientId, client_secret: clientSecret } = form;
  if (triesBasic(request)) {
    if (clientId !== undefined || clientSecret !== undefined) {
      throw new DomainError('INVALID_PARAMETER', 'send the credentials in the body or by HTTP Basic, not both');
    }
    return basicCredentials(headers.authorization ?? '');
  }
  if (clientId === undefined) throw new DomainError('INVALID_PARAMETER', 'client_id: is missing');
  if (clientSecret === undefined) throw new DomainError('INVALID_PARAMETER', 'client_secret: is missing');
  return { clientId, clientSecret };
}

/** Both halves are form-encoded before they are joined. */
function basicCredentials(authorization: string): { clientId: string; clientSecret: string } {
  const encoded = /^Basic +([\w+/=-]+)$/i.exec(authorization)?.[1];
  const [, id, key] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  const [clientId, clientSecret] = [id, key].map((half) => half && formDecoded(half));
  if (!clientId || !clientSecret)
    throw new DomainError('INVALID_CLIENT', 'the client id or the client secret is wrong');
  return { clientId, clientSecret };
}

const formDecoded = (half: string): string | undefined => {
  const decoded = new URLSearchParams(`v=${half.replaceAll('&', '%26')}`).get('v');
  return decoded === null || decoded.includes('\0') ? undefined : decoded;
};

const codes: Partial<Record<ErrorCode, string>> = {
  INVALID_CLIENT: 'invalid_client',
  APPLICATION_NOT_ACTIVE: 'unauthorized_client',
  INVALID_SCOPE: 'invalid_scope',
  UNSUPPORTED_GRANT_TYPE: 'unsupported_grant_type',
};

/** The members an OAuth client looks for (RFC 6749 5.2), in addition to those of our own shape. */
const oauthMembers: FailureMembers = (error) => ({
  error: codes[error.code] ?? (errorTable[error.code].status < 500 ? 'invalid_request' : 'server_error'),
  error_description: error.message,
});
