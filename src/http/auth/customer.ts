import type { FastifyRequest } from 'fastify';
import type { DepsOf } from '#lib/deps-of.ts';
import { authenticateCustomer, type CustomerSession, expectCustomer } from '#modules/sessions';
import type { ZodApp } from '../zod-app.ts';
import { bearerOf } from './authorization.ts';
import { partnerOf } from './partner.ts';

declare module 'fastify' {
  interface FastifyRequest {
    customerSession: CustomerSession | null;
  }
}

/** Has what `requireCustomer` looks at read while `requirePartner`, which comes after, reads what it looks at. */
export function expectCustomers(app: ZodApp, deps: DepsOf<typeof expectCustomer>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    expectCustomer(deps, bearerOf(request));
    done();
  });
}

/** Asks every route of this instance, which stands behind `requirePartner`, for a customer token of that partner. */
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
