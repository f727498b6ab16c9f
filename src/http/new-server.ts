import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Admission } from '#lib/admission.ts';
import type { Meter } from '#lib/meter.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import type { KnownAddresses } from '#modules/known-addresses';
import type { Drain } from './drain.ts';
import { answerFailures, sendFailure } from './failures.ts';
import { compileShape } from './normalize.ts';
import { requestId } from './observability.ts';
import { shedLoad } from './overload.ts';
import { refuseUnasked, refuseUnreadable } from './refuse-unreadable.ts';
import { addRequestHooks } from './request-hooks.ts';
import { safeHeaders } from './response-headers.ts';
import type { ZodApp } from './zod-app.ts';

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  url: 'must be a URL',
  email: 'must be an e-mail address',
  date: 'must be a date, as 2026-11-23',
  datetime: 'must be a date and time in UTC, as 2026-11-23T08:30:00Z',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/** A bound as a sentence: of a text its characters, of a list its items, of a number itself. */
function bound(side: 'least' | 'most', value: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit !== undefined && side === 'least' && Number(value) === 1) return 'must not be empty';
  return unit === undefined ? `must be at ${side} ${value}` : `must have at ${side} ${value}${unit}`;
}

/** What a value would have to be, where its shape does not say so itself; nothing where zod's own words stay. */
const whatIsRight: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const name = NAMES[issue.expected];
      if (name === undefined) return undefined;
      return issue.input === undefined ? `is missing: it must be ${name}` : `must be ${name}`;
    }
    case 'invalid_format':
      return FORMATS[issue.format];
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bound('least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('most', issue.maximum, issue.origin);
    default:
      return undefined;
  }
};

/** Has every shape say what would be right, instead of zod's "Invalid input: expected string, received undefined". */
export function sayWhatIsRight(): void {
  z.config({ customError: whatIsRight });
}

type Line = [about: object, message?: string];

/** The log of one request: made when something is logged, for most requests log nothing by it, and to make one takes long. */
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

/** Gives each request a log that names it. */
function logByRequest(app: FastifyInstance): void {
  app.setChildLoggerFactory((whole, bindings) => new RequestLog(whole, bindings));
}

interface Template {
  parts: readonly string[];
  methods: readonly string[];
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

/** The path of a URL in its parts, as the router reads it: of one that names the host as well (RFC 9112 3.2.2), and decoded. */
function partsAsked(url: string): string[] {
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

/**
 * Which methods the routes of an instance have at a URL, in the order of the alphabet, with OPTIONS, which says them; none where
 * they have none. It learns of every route that is mounted from now on, so no list is kept.
 */
function allowedMethods(app: FastifyInstance): (url: string) => string[] {
  const templates: Template[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    templates.push({ parts: partsOf(url), methods: [method].flat() });
  });
  return (url) => {
    const given = partsAsked(url);
    const methods = templates.filter((one) => isAt(one, given)).flatMap((template) => template.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].toSorted();
  };
}

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
