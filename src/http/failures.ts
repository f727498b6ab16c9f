import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorTable } from '#errors';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import { DomainError, type ErrorCode } from '#lib/domain-error.ts';
import { isStalePlan } from '#lib/postgres/failures.ts';
import { DatabaseAway } from '#lib/postgres/watch.ts';
import type { SecurityEvent } from '#lib/security-events.ts';
import { prefersHtml, wwwAuthenticateOf } from './headers.ts';

/** Classes of SQLSTATE that mean that the database was away or unable to answer, not that it refused. */
const classes = new Set([
  '08', // the connection
  '28', // login refused
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
  '25P02', // the transaction had failed before
  '25P03', // idle transaction timeout
  '25P04', // transaction timeout
  '3D000', // the database is not there, e.g. while it is restored
  '40001', // serialisation failure
  '40003', // completion unknown
  '40P01', // deadlock
  '55P03', // lock timeout
]);

/** Messages of node-postgres that come without a code. */
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
 * True when the error or its cause means that the database is away, cannot work, or was migrated while this process runs: the request
 * is safe to send again, and takes effect once.
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

/** An error with the status that it is answered with. */
export interface Refusal {
  error: DomainError;
  status: number;
}

/** Answers a refusal as a page. Undefined at a path that only programs call: then nothing is sent. */
export type RefusalPage = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** Members that one route adds to its failures. */
export type FailureMembers = (error: DomainError) => Record<string, unknown>;

declare module 'fastify' {
  interface FastifyContextConfig {
    failureMembers?: FailureMembers;
  }
  interface FastifyInstance {
    /** The methods that the routes have at a URL, sorted, with OPTIONS; none where there is no route. */
    methodsAt: (url: string) => string[];
    /** Members that surfaces add to their failures, by the path under which they are mounted. */
    failureMembersByPrefix: Map<string, Record<string, unknown>>;
    /** Answers browsers with a page. Undefined where only programs call. */
    refusalPage: RefusalPage | undefined;
  }
}

/** Adds members to every failure under the prefix of this instance, also where a path has no route or cannot be decoded. */
export function addToFailures(app: FastifyInstance, members: Record<string, unknown>): void {
  app.failureMembersByPrefix.set(app.prefix, members);
}

const surfaceMembers = ({ url, routeOptions, server }: FastifyRequest): Record<string, unknown> | undefined =>
  membersAt(server, routeOptions.url ?? url);

/** The members that the surface at a URL adds to its failures. */
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

/** True when the client closed its connection before its body had arrived: ECONNRESET is then not the database's. */
const hungUp = (thrown: unknown, { raw }: FastifyRequest): boolean =>
  raw.readableAborted && (thrown as { code?: unknown }).code === 'ECONNRESET';

const parameterError = (path: readonly PropertyKey[], part = 'body', message: string): string =>
  `${path.map(String).join('.') || part}: ${message}`;

/** One line for each issue of a request that is not valid. */
export const parameterErrors = (
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  part: string,
): string[] => issues.map(({ path, message }) => parameterError(path, part, message));

/** Maps any error to a DomainError that can be shown. An unexpected one becomes INTERNAL_ERROR and keeps its cause for the log. */
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

/** The body of an error. */
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

/** Maps an error to a refusal, records it as a security event or in the log, and sets Retry-After. */
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

/** Logs failures of ours with their cause. BUSY and a client that hung up have none. */
function logFailure(error: DomainError, status: number, thrown: unknown, request: FastifyRequest): void {
  if (hungUp(thrown, request))
    request.log.debug({ event: 'request.aborted' }, 'the client hung up before the request was complete');
  else if (error.code === 'BUSY')
    request.log.warn({ event: 'request.shed', errorCode: error.code }, 'request refused: the server is busy');
  else if (status >= 500)
    request.log.error({ event: 'request.failed', err: error.cause ?? error, errorCode: error.code }, 'request failed');
}

/**
 * Answers any error in the shape of its surface: JSON even where success is plain text, a page for browsers where the app has pages.
 * A 401 carries its challenge.
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

/**
 * Answers every error in one shape, whether the path has a route or not. A path that has other methods names them (RFC 9110 9.3.7 and
 * 15.5.6). Comes before any route is mounted.
 */
export function answerFailures(app: FastifyInstance): void {
  app.decorate('methodsAt', collectMethods(app));
  app.decorate('failureMembersByPrefix', new Map());
  app.decorate('refusalPage', undefined);
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendFailure(noRoute(request, reply), request, reply));
}

/** 404 where nothing is at the path, and 405 with `Allow` where the path has other methods. */
export function noRoute(request: FastifyRequest, reply: FastifyReply): DomainError {
  const allowed = request.server.methodsAt(request.url);
  if (allowed.length === 0) return new DomainError('ROUTE_NOT_FOUND', 'nothing is at this path: check it');
  reply.header('allow', allowed.join(', '));
  const message = `${request.method} is not a method of this path: it has ${allowed.join(', ')}`;
  return new DomainError('METHOD_NOT_ALLOWED', message);
}

interface Template {
  parts: readonly string[];
  methods: readonly string[];
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

/** The decoded segments of a URL's path, as the router reads it; the URL may name the host (RFC 9112 3.2.2). */
function partsOfUrl(url: string): string[] {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return partsOf(path).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

const isAt = ({ parts }: Template, given: readonly string[]): boolean =>
  parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at]);

/** Notes the path and methods of every route that is mounted from now on. */
function collectMethods(app: FastifyInstance): (url: string) => string[] {
  const templates: Template[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    templates.push({ parts: partsOf(url), methods: [method].flat() });
  });
  return (url) => {
    const given = partsOfUrl(url);
    const methods = templates.filter((one) => isAt(one, given)).flatMap((template) => template.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].toSorted();
  };
}

/** Error codes that are always security events. Other errors name theirs as `DomainError.event`. */
const events: Partial<Record<ErrorCode, SecurityEvent>> = {
  INVALID_CUSTOMER_CREDENTIALS: 'login_failed',
  INVALID_AUTH_CODE: 'auth_code_refused',
  OTP_INVALID: 'otp_wrong',
  OTP_ATTEMPTS_EXCEEDED: 'otp_throttled',
  OTP_SENDS_EXCEEDED: 'otp_throttled',
  CONSENT_ATTEMPTS_EXCEEDED: 'otp_throttled',
  INVALID_CREDENTIALS: 'credentials_refused',
  KEY_ENVIRONMENT_MISMATCH: 'credentials_refused',
  INVALID_CLIENT: 'credentials_refused',
  INVALID_CUSTOMER_TOKEN: 'token_refused',
  INVALID_APPLICATION_TOKEN: 'token_refused',
  NOT_PERMITTED: 'role_refused',
  ROLE_REFUSED: 'role_refused',
  APPROVAL_OWN: 'role_refused',
  PARTNER_SUSPENDED: 'suspended_refused',
  APPLICATION_NOT_ACTIVE: 'suspended_refused',
  FORM_REFUSED: 'form_refused',
  INVALID_SIGNATURE: 'hook_refused',
  APPLICATION_NAME_RESERVED: 'name_refused',
  NAME_RESERVED: 'name_refused',
  TOO_MANY_REQUESTS: 'rate_limited',
};

/** The security event of a refusal, if it is one. */
function eventOf({ code, event }: DomainError, { scheme }: FastifyRequest): SecurityEvent | undefined {
  // Of bearer tokens only an operator's is refused with the codes of credentials.
  if ((code === 'INVALID_CREDENTIALS' || code === 'KEY_ENVIRONMENT_MISMATCH') && scheme === 'Bearer')
    return 'operator_token_refused';
  return event ?? events[code];
}

/** Records a refusal that is a security event. */
export function recordRefusal(error: DomainError, request: FastifyRequest): void {
  const event = eventOf(error, request);
  if (event !== undefined) request.server.securityLog.record(event, { errorCode: error.code }, request.caller);
}
