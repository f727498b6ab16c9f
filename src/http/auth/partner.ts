import type { FastifyRequest } from 'fastify';
import type { DepsOf } from '#lib/deps-of.ts';
import { type AuthenticatedPartner, authenticatePartner } from '#modules/partners';
import type { LocalThrottle } from '#modules/throttles';
import type { ZodApp } from '../zod-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    partner: AuthenticatedPartner | null;
    /** Who calls, for the scope of Idempotency-Key; empty while nobody is known. */
    credential: string;
    /** The id of the API key that a partner came with; empty while there is none. */
    key: string;
  }
}

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** What a request to the partner API says of its caller. */
export const credentialsOf = (request: FastifyRequest) => ({
  clientId: header(request, 'x-client-id'),
  apiKey: header(request, 'x-api-key'),
});

/** Asks every route of this instance for `x-client-id` and `x-api-key`. */
export function requirePartner(
  app: ZodApp,
  deps: DepsOf<typeof authenticatePartner> & { callLimit: LocalThrottle },
): void {
  app.addHook('onRequest', async (request) => {
    request.scheme = 'ApiKey';
    const partner = await authenticatePartner(deps, credentialsOf(request));
    request.partner = partner;
    request.credential = `partner:${partner.id}`;
    request.key = partner.keyId;
    deps.callLimit.take(request.credential);
  });
}

/** The caller of a route behind `requirePartner`. */
export function partnerOf(request: FastifyRequest): AuthenticatedPartner {
  if (request.partner === null) throw new Error('this route is not behind requirePartner');
  return request.partner;
}
