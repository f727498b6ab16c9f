import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';
import { isTracing, type Span, startSpan } from '#lib/tracing.ts';

/** The client's X-Request-Id when it is well formed, otherwise a new id. */
export function requestId(request: IncomingMessage | { headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The trace id of a well-formed W3C traceparent header. */
function traceId(traceparent: unknown): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const id = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(traceparent)?.[1];
  return id === undefined || /^0+$/.test(id) ? undefined : id;
}

/** What nginx writes of a client that closed its connection before it was answered. */
const HUNG_UP = 499;

/** What was answered, as far as anybody was there to read it. */
const statusOf = ({ request, statusCode }: FastifyReply): number => (request.isAnswered ? statusCode : HUNG_UP);

/**
 * One line for each answer: who asked, from where, what was answered and why it was refused; 499 where the client hung up
 * before its answer was whole, which says nothing of what was done. By route template: a URL, a header or a body could hold a
 * secret.
 */
export function logAccess(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled('info')) return;
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: statusOf(reply),
      durationMs: Math.round(reply.elapsedTime),
      trace_id: request.span?.traceId ?? traceId(request.headers.traceparent),
      span_id: request.span?.spanId,
      errorCode: request.errorCode || undefined,
      address: request.ip,
      principal: request.credential || undefined,
      customer: request.customerId || request.caller?.concerned.customerId,
      application: request.caller?.concerned.applicationId,
    },
    request.isAnswered ? 'answered' : 'the client hung up before its answer',
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where the request is not traced. */
    span: Span | undefined;
  }
}

/** Starts the request's span, in the caller's trace where a header names one. By route template: a URL could hold a secret. */
export function startTrace(request: FastifyRequest): void {
  if (!isTracing()) return;
  const { method } = request;
  const route = request.routeOptions.url;
  request.span = startSpan(route === undefined ? methodOf(method) : `${methodOf(method)} ${route}`, {
    kind: 'server',
    parent: request.headers['traceparent'] as string | undefined,
    attributes: { 'http.request.method': methodOf(method), 'http.route': route, 'paytag.request_id': request.id },
  });
}

export function endTrace(request: FastifyRequest, reply: FastifyReply): void {
  const { errorCode } = request;
  request.span?.set({ 'http.response.status_code': statusOf(reply), 'paytag.error_code': errorCode || undefined });
  request.span?.end(reply.statusCode >= 500 ? errorCode || String(reply.statusCode) : undefined);
}

/** The methods that there are (RFC 9110 and 5789); what else somebody sends as one is `_OTHER`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

export const methodOf = (method: string): string => (METHODS.has(method) ? method : '_OTHER');

/** Measures an answer by method, route template and status: a URL could hold a secret, and there is no end of URLs. */
export function measureRequest(metrics: Meter, request: FastifyRequest, reply: FastifyReply): void {
  const labels = {
    http_request_method: methodOf(request.method),
    http_route: request.routeOptions.url,
    http_response_status_code: String(statusOf(reply)),
  };
  metrics.observe('http_server_request_duration_seconds', labels, reply.elapsedTime / 1000);
}
