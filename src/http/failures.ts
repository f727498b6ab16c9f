import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { DomainError } from '#lib/domain-error.ts';
import type { ErrorCode } from '#lib/error-codes.ts';
import { challengeOf } from './auth/challenge.ts';
import { errorStatus } from './error-status.ts';
import { isStoreDown } from './store-down.ts';

/** The one failure shape of the partner, SSO, sandbox and operator APIs. */
export interface Failure {
  success: false;
  message: string;
  errorCode: ErrorCode;
  errors: readonly string[];
  timestamp: string;
  requestId: string;
}

/** What a surface adds to the shape: `data` on the switch, the RFC 6749 members on the token endpoint. */
export type FailureMembers = (error: DomainError) => Record<string, unknown>;

declare module 'fastify' {
  interface FastifyContextConfig {
    failureMembers?: FailureMembers;
  }
}

const frameworkCodes: Readonly<Record<string, [code: ErrorCode, message: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['BODY_TOO_LARGE', 'the body is larger than 32 KiB'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'send the body as application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'the body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: ['BAD_REQUEST', 'the path is not well encoded'],
};

/** Any error as a refusal that can be shown: what nobody foresaw becomes INTERNAL_ERROR and keeps its cause for the log. */
function toDomainError(error: unknown, requestId: string): DomainError {
  if (error instanceof DomainError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map((issue) => {
      const path = issue.instancePath.split('/').filter(Boolean).join('.');
      return `${path || error.validationContext || 'body'}: ${issue.message}`;
    });
    return new DomainError('INVALID_PARAMETER', errors[0] ?? 'a parameter is not valid', { errors });
  }
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : frameworkCodes[code];
  if (known) return new DomainError(known[0], known[1], { cause: error });
  if (isStoreDown(error)) {
    return new DomainError('STORE_UNAVAILABLE', 'the store is not reachable: send the same request again', {
      retryAfterS: 1,
      cause: error,
    });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('BAD_REQUEST', 'the request is not valid', { cause: error });
  }
  return new DomainError('INTERNAL_ERROR', `something went wrong on our side: tell us the request id ${requestId}`, {
    cause: error,
  });
}

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

/** The switch and identity answer in their Envelope, whose `data` is null on failure. */
const surfaceMembers = ({ url, routeOptions }: FastifyRequest): Record<string, unknown> =>
  /^\/api(\/|\?|$)/.test(routeOptions.url ?? url) ? { data: null } : {};

/** Any error as a refusal and its status: logged when it is ours, with Retry-After where there is one. */
export function refusalOf(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): { error: DomainError; status: number } {
  const error = toDomainError(thrown, request.id);
  const status = errorStatus[error.code];
  if (status >= 500) request.log.error({ err: error.cause ?? error, errorCode: error.code }, 'request failed');
  if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS));
  return { error, status };
}

/** Answers any error in the shape of its surface, as JSON even where success is plain text; a 401 with its challenge. */
export function sendFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { error, status } = refusalOf(thrown, request, reply);
  const extra = request.routeOptions.config?.failureMembers?.(error);
  const challenge = status === 401 ? challengeOf(request, error.code) : undefined;
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  return reply
    .code(status)
    .removeHeader('content-type')
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send({ ...surfaceMembers(request), ...extra, ...failure(error, request.id) });
}

/** One error shape for every route, known or not. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendFailure(
      new DomainError('ROUTE_NOT_FOUND', 'there is no such operation: check the method and the path'),
      request,
      reply,
    ),
  );
}
