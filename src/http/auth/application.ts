import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type AuthenticatedApplication, authenticateApplication } from '#modules/clients';
import type { LocalThrottle } from '#modules/limits';
import { recordRefusal } from '../failures.ts';
import { bearerOf } from '../headers.ts';
import type { ZodApp } from '../zod-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    application: AuthenticatedApplication | null;
  }
}

/** Requires an application token as bearer token on every route of this instance. */
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

const provesNoApplication: readonly ErrorCode[] = ['INVALID_APPLICATION_TOKEN', 'APPLICATION_NOT_ACTIVE'];

/**
 * The application that calls a public route, if any. An Authorization header that proves no active application counts as none; the
 * answer then has `invalid_token` (RFC 6750 3.1).
 */
export async function applicationIfAny(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: DepsOf<typeof authenticateApplication>,
): Promise<AuthenticatedApplication | undefined> {
  if (request.headers.authorization === undefined) return undefined;
  try {
    return await authenticateApplication(deps, bearerOf(request));
  } catch (error) {
    if (!(error instanceof DomainError && provesNoApplication.includes(error.code))) throw error;
    recordRefusal(error, request);
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
    return undefined;
  }
}

/** The application that calls a route behind `requireApplication`. */
export function applicationOf(request: FastifyRequest): AuthenticatedApplication {
  if (request.application === null) throw new Error('this route is not behind requireApplication');
  return request.application;
}
