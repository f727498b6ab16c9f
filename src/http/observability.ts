import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Meter } from '#lib/meter.ts';
import { isTracing, runIn, type Span, startSpan } from '#lib/tracing.ts';

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

/**
 * One line for each answer: who asked, from where, what was answered and why it was refused. By route template: a URL, a
 * header or a body could hold a secret.
 */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        trace_id: request.span?.traceId ?? traceId(request.headers.traceparent),
        span_id: request.span?.spanId,
        errorCode: request.errorCode || undefined,
        address: request.ip,
        principal: request.credential || undefined,
        customer: request.customerId || request.caller?.concerned.customerId,
        application: request.caller?.concerned.applicationId,
      },
      'answered',
    );
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where the request is not traced. */
    span: Span | undefined;
  }
}

/**
 * Traces every request, as a part of the caller's trace where it names one. By route template: a URL could hold a secret. Twice, because a body arrives as events of the
 * socket, which know nothing of the request.
 */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', undefined);
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url;
    request.span = startSpan(route === undefined ? methodOf(method) : `${methodOf(method)} ${route}`, {
      kind: 'server',
      parent: request.headers['traceparent'] as string | undefined,
      attributes: { 'http.request.method': methodOf(method), 'http.route': route, 'paytag.request_id': request.id },
    });
    runIn(request.span, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    runIn(request.span, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const { errorCode } = request;
    request.span?.set({ 'http.response.status_code': reply.statusCode, 'paytag.error_code': errorCode || undefined });
    request.span?.end(reply.statusCode >= 500 ? errorCode || String(reply.statusCode) : undefined);
  });
}

/** The methods that there are (RFC 9110 and 5789); what else somebody sends as one is `_OTHER`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

export const methodOf = (method: string): string => (METHODS.has(method) ? method : '_OTHER');

/** Measures every answer by method, route template and status: a URL could hold a secret, and there is no end of URLs. */
export function measureRequests(app: FastifyInstance, metrics: Meter): void {
  let active = 0;
  metrics.watch('http_server_active_requests', () => [{ labels: {}, value: active }]);
  app.addHook('onRequest', (_request, { raw }, done) => {
    active += 1;
    raw.once('close', () => (active -= 1)); // also when the client hangs up
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const labels = {
      http_request_method: methodOf(request.method),
      http_route: request.routeOptions.url,
      http_response_status_code: String(reply.statusCode),
    };
    metrics.observe('http_server_request_duration_seconds', labels, reply.elapsedTime / 1000);
  });
}
