import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';
import { underWay } from '#lib/stall-watch.js';
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

/** What nginx writes of a client that closed its connection before it was answered. */
export const HUNG_UP = 499;

type Tell = (request: FastifyRequest, reply: FastifyReply) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** True once its answer is whole and handed to the system. */
    isAnswered: boolean;
  }
  interface FastifyInstance {
    /** Told of each request once it is over. */
    toldWhenOver: Tell[];
  }
}

/**
 * Has those who are in `toldWhenOver` told of each request once it is over: when its answer is whole, or the client has hung up
 * before, of which Fastify tells nobody. Comes before all that may end a connection.
 */
export function noteWhenOver(app: FastifyInstance): void {
  const told: Tell[] = [(request) => underWay.delete(request)];
  app.decorate('toldWhenOver', told);
  app.decorateRequest('isAnswered', false);
  app.addHook('onRequest', (request, reply, done) => {
    const { id, method } = request;
    underWay.set(request, () => ({ method, route: request.routeOptions.url, requestId: id }));
    reply.raw.on('close', () => {
      if (!request.isAnswered) for (const tell of told) tell(request, reply);
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.isAnswered = true;
    done();
    for (const tell of told) tell(request, reply);
  });
}

/** What was answered, as far as anybody was there to read it. */
const statusOf = ({ request, statusCode }: FastifyReply): number => (request.isAnswered ? statusCode : HUNG_UP);

/**
 * One line for each answer: who asked, from where, what was answered and why it was refused; 499 where the client hung up
 * before its answer was whole, which says nothing of what was done. By route template: a URL, a header or a body could hold a
 * secret.
 */
export function logAccess(app: FastifyInstance, log: Logger): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.toldWhenOver.push((request, reply) => {
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
  app.toldWhenOver.push((request, reply) => {
    const { errorCode } = request;
    request.span?.set({ 'http.response.status_code': statusOf(reply), 'paytag.error_code': errorCode || undefined });
    request.span?.end(reply.statusCode >= 500 ? errorCode || String(reply.statusCode) : undefined);
  });
}

/** The methods that there are (RFC 9110 and 5789); what else somebody sends as one is `_OTHER`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

export const methodOf = (method: string): string => (METHODS.has(method) ? method : '_OTHER');

/** Measures every answer by method, route template and status: a URL could hold a secret, and there is no end of URLs. */
export function measureRequests(app: FastifyInstance, metrics: Meter): void {
  app.toldWhenOver.push((request, reply) => {
    const labels = {
      http_request_method: methodOf(request.method),
      http_route: request.routeOptions.url,
      http_response_status_code: String(statusOf(reply)),
    };
    metrics.observe('http_server_request_duration_seconds', labels, reply.elapsedTime / 1000);
  });
}
