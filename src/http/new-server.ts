import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { Admission } from '#lib/admission.ts';
import type { Meter } from '#lib/meter.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { KnownAddresses } from '#modules/known-addresses';
import { allowedMethods } from './allowed-methods.ts';
import type { Drain } from './drain.ts';
import { answerFailures, sendFailure } from './failures.ts';
import { compileShape } from './normalize.ts';
import { requestId } from './observability.ts';
import { shedLoad } from './overload.ts';
import { refuseUnasked, refuseUnreadable } from './refuse-unreadable.ts';
import { addRequestHooks } from './request-hooks.ts';
import { logByRequest } from './request-log.ts';
import { safeHeaders } from './response-headers.ts';
import { sayWhatIsRight } from './what-is-right.ts';
import type { ZodApp } from './zod-app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined in live: what whoever looks at a page must know of a server on which nothing is real. */
    testing: { environment: string; code: string | undefined } | undefined;
  }
}

const BODY_BYTES_MAX = 32 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that have not arrived in time: it ends them so much later at most. */
const ARRIVAL_CHECK_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const PARAM_LENGTH_MAX = 300;

/** Where one is given, Fastify does not load its own for JSON Schema, which take a third of its time. Ours are set below. */
const noCompiler = (): never => {
  throw new Error('all shapes are compiled by zod');
};

/** An HTTP server without routes: bounds, safe headers, request ids, access log, and one error shape for whatever goes wrong. */
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
  sayWhatIsRight();
  const loggerInstance: FastifyBaseLogger = log;
  const app: ZodApp = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request without a Host is refused in `reject-ambiguous.ts`: Node's own answer has no body.
    http: {
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: ARRIVAL_CHECK_MS,
      requireHostHeader: false,
    },
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true, // but for a GET that acts, which says so: a HEAD that sent a code would act unseen
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    frameworkErrors: (error, request, reply) => {
      reply.headers(safeHeaders).header('x-request-id', request.id); // no hook runs for these
      request.log.info(
        { method: request.method, route: 'unknown', address: request.ip, errorCode: error.code },
        'refused',
      );
      sendFailure(error, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, log),
  }).withTypeProvider();
  app.setValidatorCompiler(compileShape);
  app.setSerializerCompiler(serializerCompiler);
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
  logByRequest(app);
  const methodsAt = allowedMethods(app);
  answerFailures(app, methodsAt);
  refuseUnasked(app, log);
  const overload = shedLoad(app, { admission, metrics, drain });
  addRequestHooks(app, {
    environment,
    trustedProxies,
    log,
    metrics,
    securityLog,
    knownAddresses,
    drain,
    overload,
    methodsAt,
  });
  return app;
}
