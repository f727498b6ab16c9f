import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTable } from '#errors';
import type { DomainError } from '#lib/domain-error.ts';
import type { Drain } from './drain.ts';
import { failure, membersAt } from './failures.ts';
import { requestId } from './observability.ts';
import { safeHeaders } from './response-headers.ts';
import type { ZodApp } from './zod-app.ts';

/** Refuses a request that no route has seen, in the shape in which routes of that path refuse. */
export function answerEarly(
  app: ZodApp,
  drain: Drain,
  error: DomainError,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const id = requestId(request);
  const body = JSON.stringify({ ...membersAt(app, request.url ?? ''), ...failure(error, id) });
  response.writeHead(errorTable[error.code].status, {
    ...safeHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(error.retryAfterS === undefined ? {} : { 'retry-after': String(error.retryAfterS) }),
    'x-request-id': id,
    ...(drain.hasBegun ? { connection: 'close' } : {}),
  });
  response.end(body);
}
