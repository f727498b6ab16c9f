import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Task } from '#lib/admission.ts';
import type { Meter } from '#lib/meter.ts';
import { type Caller, type Concerned, callers, type SecurityLog } from '#lib/security-events.ts';
import { underWay } from '#lib/stall-watch.js';
import { isTracing, runIn, type Span, startSpan } from '#lib/tracing.ts';
import type { KnownAddresses } from '#modules/limits';
import { safeHeaders } from './headers.ts';
import { keepForwardedAddresses } from './reject-malformed.ts';

declare module 'fastify' {
  interface FastifyInstance {
    securityLog: SecurityLog;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Why the request was refused; empty while it was not. */
    errorCode: string;
    /** True once the whole answer is handed to the system. */
    isAnswered: boolean;
    /** Undefined where the request is not traced. */
    span: Span | undefined;
  }
}

/** Most requests under way on one connection (HTTP pipelining). Each stays in memory until the client reads its answer. */
const PIPELINED_MAX = 32;

/** The principal is known only after authentication, so it is read from the request. */
class RequestCaller implements Caller {
  readonly requestId: string;
  readonly address: string;
  readonly #request: FastifyRequest;
  concerned: Concerned = {};
  task: Task | undefined;

  constructor(request: FastifyRequest) {
    this.requestId = request.id;
    this.address = request.ip;
    this.#request = request;
  }

  get principal(): string | undefined {
    return this.#request.credential || undefined;
  }
}

interface ObserveDeps {
  log: Logger;
  metrics: Meter;
  securityLog: SecurityLog;
  knownAddresses: KnownAddresses;
}

/** Sets the context of each request (caller, span, request id), and logs, traces and measures its answer. */
export function observeRequests(app: FastifyInstance, deps: ObserveDeps): void {
  const { log, metrics, securityLog, knownAddresses } = deps;
  const connections = countRequests(metrics);
  app.decorate('securityLog', securityLog);
  app.decorateRequest('errorCode', '');
  app.decorateRequest('caller');
  app.decorateRequest('isAnswered', false);
  app.decorateRequest('span', undefined);

  function end(request: FastifyRequest, reply: FastifyReply): void {
    underWay.delete(request);
    connections.remove(request.raw.socket);
    logAccess(log, request, reply);
    endTrace(request, reply);
    measureRequest(metrics, request, reply);
  }

  app.addHook('onRequest', (request, reply, done) => {
    keepForwardedAddresses(request.raw.headers); // before anything reads the caller's address
    const { id, method } = request;
    underWay.set(request, () => ({ method, route: request.routeOptions.url, requestId: id }));
    reply.raw.on('close', () => {
      if (!request.isAnswered) end(request, reply); // the client hung up: Fastify has no hook for that
    });
    if (!connections.add(request.raw.socket)) {
      if (!request.raw.destroyed)
        request.log.warn({ event: 'connection.closed', address: request.ip }, 'too many requests on one connection');
      request.raw.socket.destroy();
      reply.hijack();
      return;
    }
    reply.headers(safeHeaders).header('x-request-id', id);
    request.caller = new RequestCaller(request);
    startTrace(request);
    callers.run(request.caller, () => runIn(request.span, done));
  });

  // A body arrives as events of the socket, outside the context of its request: caller and span are set again.
  app.addHook('preValidation', (request, _reply, done) => {
    const { credential, key, caller } = request;
    if (credential !== '') knownAddresses.note(key === '' ? credential : `${credential}:${key}`, caller);
    callers.run(caller, () => runIn(request.span, done));
  });

  app.addHook('onResponse', (request, reply, done) => {
    request.isAnswered = true;
    done();
    end(request, reply);
  });
}

/** Counts the requests under way, in all and on each connection. `add` returns false for one too many. */
function countRequests(metrics: Pick<Meter, 'watch'>) {
  const ofConnection = new WeakMap<Socket, number>();
  let active = 0;
  metrics.watch('http_server_active_requests', () => [{ labels: {}, value: active }]);
  return {
    add(socket: Socket): boolean {
      const count = (ofConnection.get(socket) ?? 0) + 1;
      ofConnection.set(socket, count);
      active += 1;
      return count <= PIPELINED_MAX;
    },
    remove(socket: Socket): void {
      active -= 1;
      ofConnection.set(socket, (ofConnection.get(socket) ?? 1) - 1);
    },
  };
}

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

/** nginx's status for a client that closed its connection before the answer. */
const HUNG_UP = 499;

/** The status that the client received. */
const statusOf = ({ request, statusCode }: FastifyReply): number => (request.isAnswered ? statusCode : HUNG_UP);

/**
 * One line for each answer: caller, address, status and error code; 499 where the client hung up before its answer was whole, which
 * does not mean that nothing was done. The route is its template: a URL, a header or a body could hold a secret.
 */
function logAccess(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled('info')) return;
  request.log.info(
    {
      event: request.isAnswered ? 'request.answered' : 'request.abandoned',
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
    request.isAnswered ? 'request answered' : 'the client hung up before the answer',
  );
}

/** Starts the span of a request, in the caller's trace where a header names one. Named by route template: a URL could hold a secret. */
function startTrace(request: FastifyRequest): void {
  if (!isTracing()) return;
  const { method } = request;
  const route = request.routeOptions.url;
  request.span = startSpan(route === undefined ? methodOf(method) : `${methodOf(method)} ${route}`, {
    kind: 'server',
    parent: request.headers['traceparent'] as string | undefined,
    attributes: { 'http.request.method': methodOf(method), 'http.route': route, 'paytag.request_id': request.id },
  });
}

function endTrace(request: FastifyRequest, reply: FastifyReply): void {
  const { errorCode } = request;
  request.span?.set({ 'http.response.status_code': statusOf(reply), 'paytag.error_code': errorCode || undefined });
  request.span?.end(reply.statusCode >= 500 ? errorCode || String(reply.statusCode) : undefined);
}

/** The registered methods (RFC 9110 and 5789); any other is `_OTHER`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

export const methodOf = (method: string): string => (METHODS.has(method) ? method : '_OTHER');

/** Measures an answer by method, route template and status: URLs could hold secrets, and are unbounded. */
function measureRequest(metrics: Meter, request: FastifyRequest, reply: FastifyReply): void {
  const labels = {
    http_request_method: methodOf(request.method),
    http_route: request.routeOptions.url,
    http_response_status_code: String(statusOf(reply)),
  };
  metrics.observe('http_server_request_duration_seconds', labels, reply.elapsedTime / 1000);
}
