import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Task } from '#lib/admission.ts';
import type { Meter } from '#lib/meter.ts';
import { type Caller, type Concerned, callers, type SecurityLog } from '#lib/security-events.ts';
import { underWay } from '#lib/stall-watch.js';
import { runIn } from '#lib/tracing.ts';
import type { KnownAddresses } from '#modules/known-addresses';
import type { Drain } from './drain.ts';
import { endTrace, logAccess, measureRequest, startTrace } from './observability.ts';
import { type RejectDeps, rejectAmbiguousRequests, trustAddressesOnly } from './reject-ambiguous.ts';
import { safeHeaders } from './response-headers.ts';

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
  }
}

type Done = () => void;

/** Requests of one connection at once (HTTP pipelining). Each is served and kept in memory until the client reads its answer. */
const PIPELINED_MAX = 32;

/** Who calls is not known when this is made, so it is read from the request when it is needed. */
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

interface HookDeps extends RejectDeps {
  metrics: Meter;
  securityLog: SecurityLog;
  knownAddresses: KnownAddresses;
  drain: Drain;
  overload: {
    admit: (request: FastifyRequest, reply: FastifyReply, done: Done) => void;
    leave: (request: FastifyRequest, reply: FastifyReply) => void;
  };
}

/**
 * The hooks that every request passes, in their order. A surface adds its own after them: who calls (`auth/`), and what an
 * Idempotency-Key repeats (`idempotency.ts`). They call back: an async hook costs every request promises of its own.
 */
export function addRequestHooks(app: FastifyInstance, deps: HookDeps): void {
  const { log, metrics, securityLog, knownAddresses, drain, overload } = deps;
  const pipelined = countPipelined(metrics);
  app.decorate('securityLog', securityLog);
  app.decorateRequest('errorCode', '');
  app.decorateRequest('caller');
  app.decorateRequest('isAnswered', false);
  app.decorateRequest('span', undefined);

  function end(request: FastifyRequest, reply: FastifyReply): void {
    underWay.delete(request);
    pipelined.remove(request.raw.socket);
    logAccess(log, request, reply);
    endTrace(request, reply);
    measureRequest(metrics, request, reply);
  }

  app.addHook('onRequest', (request, reply, done) => {
    trustAddressesOnly(request.raw.headers); // before anything asks for the caller's address
    const { id, method } = request;
    underWay.set(request, () => ({ method, route: request.routeOptions.url, requestId: id }));
    reply.raw.on('close', () => {
      if (!request.isAnswered) end(request, reply); // the client hung up, which Fastify has no hook for
    });
    if (!pipelined.add(request.raw.socket)) {
      if (!request.raw.destroyed)
        request.log.warn({ address: request.ip }, 'too many requests on one connection: ended it');
      request.raw.socket.destroy();
      reply.hijack();
      return;
    }
    reply.headers(safeHeaders).header('x-request-id', id);
    request.caller = new RequestCaller(request);
    startTrace(request);
    callers.run(request.caller, () => runIn(request.span, done));
  });

  app.addHook('onRequest', rejectAmbiguousRequests(deps));

  // A body arrives as events of the socket, which know neither the caller nor the span: both are set again.
  app.addHook('preValidation', (request, reply, done) => {
    const { credential, key, caller } = request;
    if (credential !== '') knownAddresses.note(key === '' ? credential : `${credential}:${key}`, caller);
    callers.run(caller, () => runIn(request.span, () => overload.admit(request, reply, done)));
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    overload.leave(request, reply);
    if (drain.hasBegun) reply.header('connection', 'close'); // a kept connection would break under its next request
    done(null, payload);
  });
  app.addHook('preClose', async () => drain.begin());

  app.addHook('onResponse', (request, reply, done) => {
    request.isAnswered = true;
    done();
    end(request, reply);
  });
}

/** Counts the requests under way, and those of each connection. `add` returns false for one too many. */
function countPipelined(metrics: Pick<Meter, 'watch'>) {
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
