import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { errorTable } from '#errors';
import type { Admission, Task } from '#lib/admission.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import { callers } from '#lib/security-events.ts';
import { addressBlock } from '#lib/text/parse.ts';
import type { Drain } from './drain.ts';
import { failure, membersAt } from './failures.ts';
import { methodOf, requestId } from './observability.ts';
import { safeHeaders } from './response-headers.ts';
import type { ZodApp } from './zod-app.ts';

/** Refuses a request that no route has seen, in the shape in which routes of that path refuse. */
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
    /** Answered however busy the server is: without these routes nobody could see or end an overload. */
    neverShed?: true;
  }
  interface FastifyRequest {
    /** Null while the request has no place. */
    task: Task | null;
  }
}

export function neverShed(app: ZodApp): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, neverShed: true };
  });
}

/** Runs what another company does for a request without the request's place. */
export const elsewhereOf =
  (admission: Admission) =>
  <Result>(work: () => Promise<Result>): Promise<Result> => {
    const task = callers.getStore()?.task;
    return task === undefined ? work() : admission.elsewhere(task, work);
  };

const REPORT_MS = 1000;
const CLAIMS_MAX = 10_000;

/**
 * Refuses what cannot be answered in time, with 503 BUSY and Retry-After; nothing of it was done. A request takes a place of the
 * admission once its caller is authenticated and its body has arrived, and gives the place back with its answer. A caller whose line
 * is full is refused before Fastify sees the request, which costs a tenth of serving it.
 */
export function shedLoad(
  app: ZodApp,
  { admission, metrics, drain }: { admission: Admission; metrics: Pick<Meter, 'add' | 'observe'>; drain: Drain },
) {
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
    app.log.warn({ refused: unreported }, 'refused what could not be answered in time');
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
  function admit(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
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
    // Nobody is known by the address of a proxy.
    if (request.credential !== '' || request.ip === request.raw.socket.remoteAddress)
      callersByClaim.set(claimOf(request.raw), task.caller);
    admission.enter(task);
  }

  function leave(request: FastifyRequest, { statusCode }: FastifyReply): void {
    if (request.task !== null) admission.leave(request.task);
    else if (statusCode === 401)
      callersByClaim.delete(claimOf(request.raw)); // revoked, or expired
    else if (unproven.delete(request.raw)) guesses.giveBack();
    request.task = null;
  }

  return { admit, leave };
}

/** The credentials of a request, unchecked; else its address. */
function claimOf({ headers, socket }: IncomingMessage): string {
  const { 'x-client-id': clientId, 'x-api-key': key, authorization } = headers;
  if (clientId !== undefined) return `partner ${String(clientId)} ${String(key)}`;
  return authorization ?? `address ${socket.remoteAddress}`;
}

const GUESSES_PER_S = 500;
const GUESSES_AT_ONCE = 1000;

/**
 * Bounds how many unknown credentials are looked up in a second: a look-up costs as much as a request, and takes no place.
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
