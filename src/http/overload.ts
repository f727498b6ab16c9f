import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RouteOptions } from 'fastify';
import { errorTable } from '#errors';
import type { Admission, Task } from '#lib/admission.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import { callers } from '#lib/security-events.ts';
import { addressBlock } from '#lib/text/parse.ts';
import type { Drain } from './drain.ts';
import { failure, membersAt } from './failures.ts';
import { safeHeaders } from './headers.ts';
import { methodOf, requestId } from './observability.ts';
import type { ZodApp } from './zod-app.ts';

/** Refuses a request before it reaches Fastify, in the error shape of its path. */
function answerEarly(
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered however busy the server is: an overload is seen and ended through these routes. */
    neverShed?: true;
  }
  interface FastifyRequest {
    /** Null while the request has no place among those that run. */
    task: Task | null;
  }
}

/** Answers the routes of this instance however busy the server is. */
export function neverShed(app: ZodApp): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, neverShed: true };
  });
}

/** Runs a call of a provider without holding the place of the request that needs it. */
export const elsewhereOf =
  (admission: Admission) =>
  <Result>(work: () => Promise<Result>): Promise<Result> => {
    const task = callers.getStore()?.task;
    return task === undefined ? work() : admission.elsewhere(task, work);
  };

const REPORT_MS = 1000;
const CLAIMS_MAX = 10_000;

/**
 * Refuses with 503 BUSY and Retry-After what cannot be answered in time; nothing of it was done. A request takes a place once its
 * caller is authenticated and its body has arrived, and frees it with its answer. Where a caller's line is full, its requests are
 * refused before Fastify sees them, at a tenth of the cost of serving one.
 */
export function shedLoad(
  app: ZodApp,
  { admission, metrics, drain }: { admission: Admission; metrics: Pick<Meter, 'add' | 'observe'>; drain: Drain },
): void {
  const routes: RouteOptions[] = [];
  let always: string[] = [];
  const callersByClaim = new Map<string, string>();
  const unproven = new WeakSet<IncomingMessage>();
  const guesses = createGuessLimit();
  let unreported = 0;

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    const error = new DomainError('BUSY', 'the server is busy: send the same request again', { retryAfterS: 1 });
    answerEarly(app, drain, error, request, response);
    metrics.add('paytag_requests_refused_total', {});
    if (unreported === 0) setTimeout(report, REPORT_MS).unref();
    unreported += 1;
  }

  function report(): void {
    app.log.warn({ event: 'load.shed', refused: unreported }, 'requests refused: the server is busy');
    unreported = 0;
  }

  function isRefusedEarly(request: IncomingMessage): boolean {
    const claim = claimOf(request);
    const caller = callersByClaim.get(claim);
    if (caller !== undefined) return admission.isFullFor(caller) && !isAlwaysAnswered(request);
    if (claim.startsWith('address ') || isAlwaysAnswered(request)) return false;
    if (!guesses.take()) return true;
    unproven.add(request);
    return false;
  }

  const isAlwaysAnswered = ({ url = '' }: IncomingMessage) => always.some((path) => url.startsWith(path));

  const { server } = app;
  const [serve] = server.listeners('request') as [RequestListener];
  server.removeListener('request', serve);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isRefusedEarly(request)) {
      serve(request, response);
      return;
    }
    const labels = { http_request_method: methodOf(request.method ?? 'GET'), http_route: undefined };
    metrics.observe('http_server_request_duration_seconds', { ...labels, http_response_status_code: '503' }, 0);
    refuse(request, response);
  });

  app.decorateRequest('task', null);
  app.addHook('onRoute', (route) => {
    routes.push(route); // its plugin may say `neverShed` after this
  });
  app.addHook('onReady', (done) => {
    const found = routes.filter(({ config }) => config?.neverShed);
    always = found.map(({ url }) => url.replace(/[:*].*/, ''));
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (unproven.delete(request.raw)) guesses.giveBack();
    if (request.routeOptions.config.neverShed) {
      done();
      return;
    }
    const task: Task = {
      caller: request.credential || addressBlock(request.ip),
      decide(mayRun) {
        const { destroyed, readableEnded } = request.raw.socket;
        if (mayRun && !destroyed && !readableEnded) {
          request.task = request.caller.task = task;
          done();
          return;
        }
        if (mayRun) admission.leave(task);
        reply.hijack();
        if (!mayRun) refuse(request.raw, reply.raw);
      },
    };
    if (callersByClaim.size >= CLAIMS_MAX) callersByClaim.clear();
    // A proxy's address identifies no caller.
    if (request.credential !== '' || request.ip === request.raw.socket.remoteAddress)
      callersByClaim.set(claimOf(request.raw), task.caller);
    admission.enter(task);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.task !== null) admission.leave(request.task);
    else if (reply.statusCode === 401)
      callersByClaim.delete(claimOf(request.raw)); // revoked, or expired
    else if (unproven.delete(request.raw)) guesses.giveBack();
    request.task = null;
    done(null, payload);
  });
}

/** The unchecked credentials of a request, or else its address. */
function claimOf({ headers, socket }: IncomingMessage): string {
  const { 'x-client-id': clientId, 'x-api-key': key, authorization } = headers;
  if (clientId !== undefined) return `partner ${String(clientId)} ${String(key)}`;
  return authorization ?? `address ${socket.remoteAddress}`;
}

const GUESSES_PER_S = 500;
const GUESSES_AT_ONCE = 1000;

/**
 * Bounds how many unknown credentials are looked up in a second: a lookup costs as much as a request, and takes no place.
 *
 * @param now a clock in milliseconds that never runs backwards
 */
export function createGuessLimit(now: () => number = () => performance.now()) {
  let left = GUESSES_AT_ONCE;
  let filledAt = now();
  return {
    take(): boolean {
      const at = now();
      left = Math.min(GUESSES_AT_ONCE, left + ((at - filledAt) / 1000) * GUESSES_PER_S);
      filledAt = at;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    /** The credentials were right: they count for nothing. */
    giveBack(): void {
      left += 1;
    },
  };
}
