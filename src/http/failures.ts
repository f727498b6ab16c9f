import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorTable } from '#errors';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import { DomainError, type ErrorCode } from '#lib/domain-error.ts';
import { isStalePlan } from '#lib/postgres/failures.ts';
import { DatabaseAway } from '#lib/postgres/watch.ts';
import { wwwAuthenticateOf } from './auth/authorization.ts';
import { prefersHtml } from './negotiation.ts';
import { recordRefusal } from './refusal-events.ts';

/** Classes of SQLSTATEs, and socket errors, that mean the database was not there or could not, as opposed to: it said no. */
const classes = new Set([
  '08', // the connection
  '28', // it does not let us in
  '53', // no disk, memory or connection left
  '57', // shut down, starting up, a statement that took too long
  '58', // its files or its system
]);

const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006', // read-only, e.g. since a failover
  '25P02', // the rest of a transaction of which a statement failed
  '25P03', // idle transaction timeout
  '25P04', // transaction timeout
  '3D000', // the database is not there, e.g. while it is restored
  '40001', // serialisation failure
  '40003', // nobody knows whether it was done
  '40P01', // deadlock
  '55P03', // lock timeout
]);

/** What node-postgres says without a code. */
const texts = [
  'Connection terminated',
  'is not queryable', // the rest of a transaction whose connection broke
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end',
];

const isSqlState = (code: string): boolean => /^[\dA-Z]{5}$/.test(code);

/**
 * True when the error, or what caused it, is the database being away or in no state to work, or changed by a migration while this
 * process runs: the request is safe to send again, and done once.
 */
export function isStoreDown(error: unknown): boolean {
  if (isStalePlan(error)) return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof DatabaseAway) return true;
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string') {
      if (codes.has(code) || (isSqlState(code) && classes.has(code.slice(0, 2)))) return true;
    }
    const { message } = at;
    if (texts.some((text) => message.includes(text))) return true;
  }
  return false;
}

/** The failure shape of every surface; a surface may add members to it. */
export interface Failure {
  success: false;
  message: string;
  errorCode: ErrorCode;
  errors: readonly string[];
  timestamp: string;
  requestId: string;
}

/** A refusal as it is shown. */
export interface Refusal {
  error: DomainError;
  status: number;
}

/** Answers a page that says what was refused; undefined, and nothing is sent, at a path that programs alone ask. */
export type RefusalPage = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** What one route adds to the shape. */
export type FailureMembers = (error: DomainError) => Record<string, unknown>;

declare module 'fastify' {
  interface FastifyContextConfig {
    failureMembers?: FailureMembers;
  }
  interface FastifyInstance {
    /** What surfaces add to the shape, by the path under which they are mounted. */
    failureMembersByPrefix: Map<string, Record<string, unknown>>;
    /** Answers a browser, for an app that people open in one; undefined for one that programs alone call. */
    refusalPage: RefusalPage | undefined;
  }
}

/**
 * Adds members to every failure under the prefix of this instance: also to those of a path that has no route, or that
 * cannot be decoded, which reach no plugin.
 */
export function addToFailures(app: FastifyInstance, members: Record<string, unknown>): void {
  app.failureMembersByPrefix.set(app.prefix, members);
}

const surfaceMembers = ({ url, routeOptions, server }: FastifyRequest): Record<string, unknown> | undefined =>
  membersAt(server, routeOptions.url ?? url);

/** What the surface at a URL adds to the shape. */
export function membersAt(
  { failureMembersByPrefix }: Pick<FastifyInstance, 'failureMembersByPrefix'>,
  url: string,
): Record<string, unknown> | undefined {
  const [path = ''] = url.split('?', 1);
  for (const [prefix, members] of failureMembersByPrefix) {
    if (path === prefix || path.startsWith(`${prefix}/`)) return members;
  }
  return undefined;
}

const frameworkCodes: Readonly<Record<string, [code: ErrorCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'send the body as application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'the body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: ['BAD_REQUEST', 'the path is not well encoded'],
};

/** True when the client ended its connection before its body had arrived: the broken connection is its own, not the store's. */
const hungUp = (thrown: unknown, { raw }: FastifyRequest): boolean =>
  raw.readableAborted && (thrown as { code?: unknown }).code === 'ECONNRESET';

const parameterError = (path: readonly PropertyKey[], part = 'body', message: string): string =>
  `${path.map(String).join('.') || part}: ${message}`;

/** What a request that is not valid is told, line by line. */
export const parameterErrors = (
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  part: string,
): string[] => issues.map(({ path, message }) => parameterError(path, part, message));

/** Any error as a refusal that can be shown: what nobody foresaw becomes INTERNAL_ERROR and keeps its cause for the log. */
function toDomainError(error: unknown, request: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  if (hungUp(error, request)) return new DomainError('BAD_REQUEST', 'the connection ended before the body did');
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map(({ instancePath, message = '' }) =>
      parameterError(instancePath.split('/').filter(Boolean), error.validationContext, message),
    );
    return new DomainError('INVALID_PARAMETER', errors[0] ?? 'a parameter is not valid', { errors });
  }
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(error, request);
  const known = code === undefined ? undefined : frameworkCodes[code];
  if (known) return new DomainError(known[0], known[1], { cause: error });
  if (isStoreDown(error)) {
    return new DomainError('STORE_UNAVAILABLE', 'the store does not answer: send the same request again', {
      retryAfterS: 1,
      cause: error,
    });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('BAD_REQUEST', 'the request is not valid', { cause: error });
  }
  return new DomainError('INTERNAL_ERROR', `something went wrong on our side: tell us the request id ${request.id}`, {
    cause: error,
  });
}

const tooLarge = (cause: unknown, { routeOptions: { bodyLimit } }: FastifyRequest): DomainError =>
  new DomainError('BODY_TOO_LARGE', `the body is larger than ${bodyLimit / 1024} KiB`, { cause });

/** An error in the one shape. */
export function failure(error: DomainError, requestId: string): Failure {
  return {
    success: false,
    message: error.message,
    errorCode: error.code,
    errors: error.errors.length > 0 ? error.errors : [error.message],
    timestamp: new Date().toISOString(),
    requestId,
  };
}

/** Any error as a refusal and its status: logged when it is ours, with Retry-After where there is one. */
export function refusalOf(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Refusal {
  const error = toDomainError(thrown, request);
  const status = errorTable[error.code].status;
  request.errorCode = error.code;
  recordRefusal(error, request);
  if (thrown instanceof AlteredRecord) {
    request.server.securityLog.record('stored_record_altered', { record: thrown.record }, request.caller);
  }
  logFailure(error, status, thrown, request);
  if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
  return { error, status };
}

/** What is ours to look into is logged with its cause; a server that is full, or a client that hung up, has none to show. */
function logFailure(error: DomainError, status: number, thrown: unknown, request: FastifyRequest): void {
  if (hungUp(thrown, request)) request.log.debug('the client hung up before its request was whole');
  else if (error.code === 'BUSY') request.log.warn({ errorCode: error.code }, 'too busy for a request');
  else if (status >= 500) request.log.error({ err: error.cause ?? error, errorCode: error.code }, 'request failed');
}

/**
 * Answers any error in the shape of its surface, as JSON even where success is plain text; a 401 with its challenge. A browser
 * reads a page where people open pages.
 */
export function sendFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(thrown, request, reply);
  const { error, status } = refusal;
  const { refusalPage } = request.server;
  const page = prefersHtml(request.headers.accept) ? refusalPage?.(refusal, request, reply) : undefined;
  if (page !== undefined) return page;
  const extra = request.routeOptions.config?.failureMembers?.(error);
  const challenge = status === 401 ? wwwAuthenticateOf(request, error.code) : undefined;
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  return reply
    .code(status)
    .removeHeader('content-type')
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send({ ...surfaceMembers(request), ...extra, ...failure(error, request.id) });
}

/** One error shape for every route, known or not; a path that has other methods names them (RFC 9110 9.3.7 and 15.5.6). */
export function answerFailures(app: FastifyInstance, methodsAt: (url: string) => string[]): void {
  app.decorate('failureMembersByPrefix', new Map());
  app.decorate('refusalPage', undefined);
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendFailure(noRoute(request, reply, methodsAt), request, reply));
}

/** Why no route takes a request: its path is none, or it has other methods, which `Allow` names. */
export function noRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  methodsAt: (url: string) => string[],
): DomainError {
  const allowed = methodsAt(request.url);
  if (allowed.length === 0) return new DomainError('ROUTE_NOT_FOUND', 'nothing is at this path: check it');
  reply.header('allow', allowed.join(', '));
  const message = `${request.method} is not a method of this path: it has ${allowed.join(', ')}`;
  return new DomainError('METHOD_NOT_ALLOWED', message);
}
