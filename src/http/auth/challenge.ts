import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#lib/error-codes.ts';
import { bearerOf } from './bearer.ts';

/** How a caller proves who he is. No registered scheme names our `x-client-id` and `x-api-key`: `ApiKey` stands for them. */
type Scheme = 'ApiKey' | 'Basic' | 'Bearer';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the caller was last asked for; null where nobody is asked for anything. */
    scheme: Scheme | null;
  }
}

/**
 * The challenge that a 401 carries (RFC 9110 11.6.1); undefined on a page, which asks by its form. A token that was sent
 * and is not good is told apart from none (RFC 6750 3.1).
 *
 * @param errorCode what the caller is refused with: after INVALID_CLIENT it was a secret in the body, and not the token
 */
export function challengeOf(request: FastifyRequest, errorCode: ErrorCode): string | undefined {
  const { scheme } = request;
  if (scheme === null) return undefined;
  const isOfToken = scheme === 'Bearer' && errorCode !== 'INVALID_CLIENT' && bearerOf(request) !== undefined;
  return `${scheme} realm="paytag"${isOfToken ? ', error="invalid_token"' : ''}`;
}
