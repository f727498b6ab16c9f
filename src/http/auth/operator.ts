import type { FastifyRequest } from 'fastify';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import { DomainError } from '#lib/domain-error.ts';
import { randomToken } from '#lib/random.ts';
import { addressBlock } from '#lib/text/parse.ts';
import type { LocalThrottle } from '#modules/limits';
import {
  type AuthenticatedOperator,
  authenticateOperator,
  authenticateSession,
  mayDo,
  type OperatorAuthentication,
  type Role,
} from '#modules/operators';
import { bearerOf } from '../headers.ts';
import type { ZodApp } from '../zod-app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    operator: AuthenticatedOperator | null;
    /** The operator's name in audit entries. */
    actor: string;
  }
  interface FastifyContextConfig {
    /** The least role that the route requires. */
    role?: Role;
    /** The least role for each of these members of the body. */
    memberRoles?: Readonly<Record<string, Role>>;
  }
}

/** The least role for each operation, e.g. `GET /tags/:tag`, and for members of its body that need a higher one. */
interface Permissions {
  permissions: Readonly<Record<string, Role>>;
  memberPermissions: Readonly<Record<string, Readonly<Record<string, Role>>>>;
}

/**
 * Requires an operator's token as bearer token, and the role of the route, on every route of this instance. The console of this process
 * calls with a session instead.
 *
 * @param decided by path below the prefix of this instance
 * @throws Error when a route is mounted without a role: the server does not start
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

/** The operator who calls a route behind `requireOperator`. */
export function operatorOf(request: FastifyRequest): AuthenticatedOperator {
  if (request.operator === null) throw new Error('this route is not behind requireOperator');
  return request.operator;
}

/** A secret of this process, which ends with it. */
const proof = randomToken();
const proofDigest = sha256(proof);

/** The header with which the console of this process calls the operator API on behalf of a session. */
export const asConsole = (session: string): { authorization: string } => ({
  authorization: `Console ${proof}.${session}`,
});

/** The session on whose behalf the console of this process calls; undefined for every other call. A browser's cookie is no credential of the API. */
function consoleSessionOf({ headers }: FastifyRequest): string | undefined {
  const [, given = '', session] = /^Console ([\w-]{43})\.([\w-]{43})$/.exec(headers.authorization ?? '') ?? [];
  return equalDigests(sha256(given), proofDigest) ? session : undefined;
}
