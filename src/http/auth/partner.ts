import type { FastifyRequest } from 'fastify';
import type { DepsOf } from '#lib/deps-of.ts';
import { type AuthenticatedPartner, authenticatePartner } from '#modules/clients';
import type { LocalThrottle } from '#modules/limits';
import { authenticateCustomer, type CustomerSession, expectCustomer } from '#modules/sessions';
import { bearerOf } from '../headers.ts';
import type { ZodApp } from '../zod-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    partner: AuthenticatedPartner | null;
    /** The authenticated caller, for the scope of Idempotency-Key; empty before authentication. */
    credential: string;
    /** The id of the partner's API key; empty where there is none. */
    key: string;
  }
}

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** The credentials of a request to the partner API, unchecked. */
export const credentialsOf = (request: FastifyRequest) => ({
  clientId: header(request, 'x-client-id'),
  apiKey: header(request, 'x-api-key'),
});

/** Requires `x-client-id` and `x-api-key` on every route of this instance. */
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

/** The partner that calls a route behind `requirePartner`. */
export function partnerOf(request: FastifyRequest): AuthenticatedPartner {
  if (request.partner === null) throw new Error('this route is not behind requirePartner');
  return request.partner;
}

declare module 'fastify' {
  interface FastifyRequest {
    customerSession: CustomerSession | null;
  }
}

/** Starts the reads of `requireCustomer` before `requirePartner`, so that both share one round trip. */
export function expectCustomers(app: ZodApp, deps: DepsOf<typeof expectCustomer>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    expectCustomer(deps, bearerOf(request));
    done();
  });
}

/** Requires a customer token of the partner on every route of this instance. Registered after `requirePartner`. */
export function requireCustomer(app: ZodApp, deps: DepsOf<typeof authenticateCustomer>): void {
  app.addHook('onRequest', async (request) => {
    request.scheme = 'Bearer';
    const sent = { partnerId: partnerOf(request).id, token: bearerOf(request) };
    request.customerSession = await authenticateCustomer(deps, sent);
    request.customerId = request.customerSession.customerId;
  });
}

/** The session of a route behind `requireCustomer`. */
export function customerSessionOf(request: FastifyRequest): CustomerSession {
  if (request.customerSession === null) throw new Error('this route is not behind requireCustomer');
  return request.customerSession;
}
