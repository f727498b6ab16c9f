import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { Admission } from '#lib/admission.ts';
import type { Meter } from '#lib/meter.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { KnownAddresses } from '#modules/limits';
import { closeConnectionsWhenDraining, type Drain } from './drain.ts';
import { answerFailures, sendFailure } from './failures.ts';
import { safeHeaders } from './headers.ts';
import { observeRequests, requestId } from './observability.ts';
import { shedLoad } from './overload.ts';
import { answerUnparsable, rejectAmbiguousRequests, rejectUnsupportedProtocols } from './reject-malformed.ts';
import { compileShape, installZodMessages } from './validation.ts';
import type { ZodApp } from './zod-app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What pages say of a server where nothing is real. Undefined in live. */
    testing: { environment: string; code: string | undefined } | undefined;
  }
}

const BODY_BYTES_MAX = 32 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that are late: it ends them up to this much later. */
const ARRIVAL_CHECK_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const PARAM_LENGTH_MAX = 300;

/** Keeps Fastify from loading its compilers of JSON Schema, a third of its load time: zod's are set below. */
const noCompiler = (): never => {
  throw new Error('all shapes are compiled by zod');
};

/** A server without routes: limits, safe headers, request ids, access log, and one error shape. */
export function newServer({
  environment,
  testCode,
  trustedProxies,
  log,
  metrics,
  securityLog,
  knownAddresses,
  drain,
  admission,
}: {
  environment: string;
  testCode: string | undefined;
  trustedProxies: readonly string[];
  log: Logger;
  metrics: Meter;
  securityLog: SecurityLog;
  knownAddresses: KnownAddresses;
  drain: Drain;
  admission: Admission;
}): ZodApp {
  installZodMessages();
  const loggerInstance: FastifyBaseLogger = log;
  const app: ZodApp = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: ARRIVAL_CHECK_MS,
      requireHostHeader: false, // Node's own answer has no body: reject-malformed.ts refuses these
    },
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true, // a GET with an effect turns it off: a HEAD must not send a code
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    frameworkErrors: (error, request, reply) => {
      reply.headers(safeHeaders).header('x-request-id', request.id); // no hook runs for these
      const { method, ip: address } = request;
      request.log.info({ event: 'request.rejected', method, address, errorCode: error.code }, 'request rejected');
      sendFailure(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerUnparsable(error, socket, log),
  }).withTypeProvider();
  app.setValidatorCompiler(compileShape);
  app.setSerializerCompiler(serializerCompiler);
  app.setChildLoggerFactory((whole, bindings) => new RequestLog(whole, bindings));
  app.decorate('testing', environment === 'live' ? undefined : { environment, code: testCode });
  app.decorateRequest('partner', null);
  app.decorateRequest('application', null);
  app.decorateRequest('operator', null);
  app.decorateRequest('actor', '');
  app.decorateRequest('credential', '');
  app.decorateRequest('key', '');
  app.decorateRequest('customerId', '');
  app.decorateRequest('customerSession', null);
  app.decorateRequest('idempotentRun', null);
  app.decorateRequest('scheme', null);

  // The plugins of every server. Fastify runs the hooks of one stage in the order of this list, so it is the way of a request:
  //   onRequest      context, trace and log begin; a malformed request is rejected; then the surface checks credentials (auth/)
  //   preValidation  the request waits for a place; then the surface replays a repeated Idempotency-Key (idempotency.ts)
  //   onSend         the place is free again; a draining process closes the connection
  //   onResponse     access log, trace and metrics end
  // Hooks call back: an async hook costs every request promises of its own.
  answerFailures(app);
  rejectUnsupportedProtocols(app, log);
  observeRequests(app, { log, metrics, securityLog, knownAddresses });
  rejectAmbiguousRequests(app, { environment, trustedProxies, log });
  shedLoad(app, { admission, metrics, drain });
  closeConnectionsWhenDraining(app, drain);
  return app;
}

type Line = [about: object, message?: string];

/** The log of one request, which names the request. Made with its first line: most requests log none, and making one is slow. */
class RequestLog {
  readonly #whole: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #made: FastifyBaseLogger | undefined;

  constructor(whole: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#whole = whole;
    this.#bindings = bindings;
  }

  get #log(): FastifyBaseLogger {
    return (this.#made ??= this.#whole.child(this.#bindings));
  }

  get level(): string {
    return this.#whole.level;
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...given);
  }

  fatal(...line: Line): void {
    this.#log.fatal(...line);
  }

  error(...line: Line): void {
    this.#log.error(...line);
  }

  warn(...line: Line): void {
    this.#log.warn(...line);
  }

  info(...line: Line): void {
    this.#log.info(...line);
  }

  debug(...line: Line): void {
    this.#log.debug(...line);
  }

  trace(...line: Line): void {
    this.#log.trace(...line);
  }

  silent(): void {}
}
