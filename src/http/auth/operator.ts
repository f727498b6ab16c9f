import type { FastifyRequest } from 'fastify';
import { DomainError } from '#lib/domain-error.ts';
import { addressBlock } from '#lib/text/parse.ts';
import {
  type AuthenticatedOperator,
  authenticateOperator,
  authenticateSession,
  mayDo,
  type OperatorAuthentication,
  type Role,
} from '#modules/operators';
import type { LocalThrottle } from '#modules/throttles';
import type { ZodApp } from '../zod-app.ts';
import { bearerOf } from './authorization.ts';
import { consoleSessionOf } from './console-calls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    operator: AuthenticatedOperator | null;
    /** The operator as audit entries name them. */
    actor: string;
  }
  interface FastifyContextConfig {
    /** The least role that an operator must have. */
    role?: Role;
    /** The same, to send a member of the body. */
    memberRoles?: Readonly<Record<string, Role>>;
  }
}

/** The least role for each operation, as `GET /tags/:tag`, and for members of its body that ask for more. */
interface Permissions {
  permissions: Readonly<Record<string, Role>>;
  memberPermissions: Readonly<Record<string, Readonly<Record<string, Role>>>>;
}

/**
 * Asks every route of this instance for an operator's token as a bearer token, and for the role that the route asks for. The console of
 * this process asks with a session instead.
 *
 * @param decided by path below the prefix of this instance
 * @throws Error when a route is mounted that no role is decided for: then none of its instance is
 */
export function requireOperator(
  app: ZodApp,
  deps: OperatorAuthentication & { callLimit: LocalThrottle },
  decided: Permissions,
): void {
  app.addHook('onRoute', (route) => {
    const method = String(route.method);
    const name = `${method === 'HEAD' ? 'GET' : method} ${route.routePath}`;
    const role = decided.permissions[name];
    if (role === undefined) throw new Error(`no role is decided for ${name}`);
    const memberRoles = decided.memberPermissions[name];
    route.config = { ...route.config, role, ...(memberRoles === undefined ? {} : { memberRoles }) };
  });

  app.addHook('onRequest', async (request) => {
    request.scheme = 'Bearer';
    const session = consoleSessionOf(request);
    const operator =
      session === undefined
        ? await authenticateOperator(deps, { token: bearerOf(request), address: addressBlock(request.ip) })
        : await authenticateSession(deps, session);
    request.operator = operator;
    request.credential = `operator:${operator.id}`;
    request.actor = operator.actor;
    deps.callLimit.take(request.credential);
    refuseUnless(operator, request.routeOptions.config.role ?? 'admin', 'this');
  });

  app.addHook('preHandler', async (request) => {
    for (const [member, needed] of Object.entries(request.routeOptions.config.memberRoles ?? {})) {
      const given = (request.body as Record<string, unknown>)[member];
      if (given !== undefined) refuseUnless(operatorOf(request), needed, member);
    }
  });
}

function refuseUnless({ role }: AuthenticatedOperator, needed: Role, what: string): void {
  if (mayDo(role, needed)) return;
  throw new DomainError('ROLE_REFUSED', `${what} needs the role ${needed}, and you are ${role}`);
}

/** The caller of a route behind `requireOperator`. */
export function operatorOf(request: FastifyRequest): AuthenticatedOperator {
  if (request.operator === null) throw new Error('this route is not behind requireOperator');
  return request.operator;
}
