import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#lib/domain-error.ts';

/** The token of an `Authorization: Bearer` header (RFC 6750 2.1). */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** How a caller authenticates. No registered scheme names our `x-client-id` and `x-api-key`: `ApiKey` stands for them. */
type Scheme = 'ApiKey' | 'Basic' | 'Bearer';

declare module 'fastify' {
  interface FastifyRequest {
    /** The scheme that the caller was last asked for; null where no credentials are needed. */
    scheme: Scheme | null;
  }
}

/**
 * The WWW-Authenticate header of a 401 (RFC 9110 11.6.1); undefined on a page, which asks with its form. It says
 * `invalid_token` when a token was sent, and nothing when none was (RFC 6750 3.1).
 *
 * @param errorCode why the caller is refused: INVALID_CLIENT is about a secret in the body, not about the token
 */
export function wwwAuthenticateOf(request: FastifyRequest, errorCode: ErrorCode): string | undefined {
  const { scheme } = request;
  if (scheme === null) return undefined;
  const isOfToken = scheme === 'Bearer' && errorCode !== 'INVALID_CLIENT' && bearerOf(request) !== undefined;
  return `${scheme} realm="paytag"${isOfToken ? ', error="invalid_token"' : ''}`;
}
