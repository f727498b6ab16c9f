import type { FastifyRequest } from 'fastify';
import type { DepsOf } from '#lib/deps-of.ts';
import { type AuthenticatedApplication, authenticateApplication } from '#modules/applications';
import type { LocalThrottle } from '#modules/throttles';
import type { ZodApp } from '../zod-app.ts';
import { bearerOf } from './authorization.ts';

declare module 'fastify' {
  interface FastifyRequest {
    application: AuthenticatedApplication | null;
  }
}

/** Asks every route of this instance for an application token as a bearer token. */
export function requireApplication(
  app: ZodApp,
  deps: DepsOf<typeof authenticateApplication> & { callLimit: LocalThrottle },
): void {
  app.addHook('onRequest', async (request) => {
    request.scheme = 'Bearer';
    const application = await authenticateApplication(deps, bearerOf(request));
    request.application = application;
    request.credential = `application:${application.id}`;
    deps.callLimit.take(request.credential);
  });
}

/**
 * The application behind a call that anybody may make; undefined without an Authorization header.
 *
 * @throws DomainError INVALID_APPLICATION_TOKEN, APPLICATION_NOT_ACTIVE when there is one that proves no application
 */
export async function applicationIfAny(
  request: FastifyRequest,
  deps: DepsOf<typeof authenticateApplication>,
): Promise<AuthenticatedApplication | undefined> {
  if (request.headers.authorization === undefined) return undefined;
  request.scheme = 'Bearer';
  return authenticateApplication(deps, bearerOf(request));
}

/** The caller of a route behind `requireApplication`. */
export function applicationOf(request: FastifyRequest): AuthenticatedApplication {
  if (request.application === null) throw new Error('this route is not behind requireApplication');
  return request.application;
}
