import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { addressBlock } from '#lib/address-block.ts';
import type { Admission, Task } from '#lib/admission.ts';
import type { Meter } from '#lib/meter.ts';
import { callers } from '#lib/security-events.ts';
import type { AcceptQueue } from './accept-queue.ts';
import type { Drain } from './drain.ts';
import { hasHungUp } from './leave-hung-up.ts';
import { createWrongCredentialsLimit } from './limit-wrong-credentials.ts';
import type { ReadDelay } from './read-delay.ts';
import { refuseEarly } from './refuse-early.ts';
import type { ZodApp } from './zod-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `first` where a request is refused before others are, `never` where it is always answered; else after the first. */
    shed?: 'first' | 'never';
  }
  interface FastifyRequest {
    /** What has a place among those that are answered at once; null while it has none. */
    task: Task | null;
  }
}

interface ShedLoadDeps {
  admission: Admission;
  acceptQueue: Pick<AcceptQueue, 'waitedMs'>;
  readDelay: ReadDelay;
  metrics: Pick<Meter, 'add' | 'observe'>;
  drain: Drain;
}

/** Every route of this instance is refused before others are: a page or a guide, for which nobody loses money. */
export function shedFirst(app: ZodApp): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, shed: 'first' };
  });
}

/** Every route of this instance is always answered: without it nobody could see or do anything about the load. */
export function shedNever(app: ZodApp): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, shed: 'never' };
  });
}

/** True of a route that answers a page of many. */
function isList({ schema }: RouteOptions): boolean {
  const { querystring } = (schema ?? {}) as { querystring?: z.ZodType };
  const query = querystring instanceof z.ZodPipe ? querystring.in : querystring; // a page of Spring's is made of what is sent
  return query instanceof z.ZodObject && ('limit' in query.shape || 'size' in query.shape);
}

const partnerClaim = ({ headers }: IncomingMessage) =>
  `partner ${String(headers['x-client-id'])} ${String(headers['x-api-key'])}`;
const bearerClaim = ({ headers }: IncomingMessage) => `bearer ${headers.authorization}`;
const addressClaim = ({ socket }: IncomingMessage) => `address ${socket.remoteAddress}`;

/** Who a request says it is from, before anybody has checked: by its credentials, else by its address. */
function claimOf(request: IncomingMessage): string {
  const { 'x-client-id': clientId, authorization } = request.headers;
  if (clientId !== undefined) return partnerClaim(request);
  return authorization === undefined ? addressClaim(request) : bearerClaim(request);
}

const hasCredentials = ({ headers }: IncomingMessage): boolean =>
  headers['x-client-id'] !== undefined || headers.authorization !== undefined;

/** What of it was found to be true; undefined where it says nothing of who asks, e.g. behind a proxy. */
function provenClaimOf({ credential, ip, raw }: FastifyRequest): string | undefined {
  if (credential.startsWith('partner:')) return partnerClaim(raw);
  if (credential !== '') return bearerClaim(raw);
  return ip === raw.socket.remoteAddress ? addressClaim(raw) : undefined;
}

/** While there is too much, who waited for so long until their connection was taken or their request was read is late already. */
const LATE_MS = 50;
/** Of those who are late, one in so many is judged as others are: how long they waited is known at most. */
const JUDGED_OF_LATE = 8;
/** Claims that are remembered at once. */
const CLAIMS_MAX = 10_000;

/** Runs what is done at another company by `elsewhere` of the admission, for the request that it is a part of. */
export const elsewhereOf =
  (admission: Admission) =>
  <Result>(work: () => Promise<Result>): Promise<Result> => {
    const task = callers.getStore()?.task;
    return task === undefined ? work() : admission.elsewhere(task, work);
  };

/**
 * Refuses what cannot be answered in time, with 503 and Retry-After; nothing of it was done. A request takes a place once its
 * caller is known and its body is there, and gives it back with its answer. Who hung up while they waited is not served.
 */
export function shedLoad(app: ZodApp, { admission, acceptQueue, readDelay, metrics, drain }: ShedLoadDeps): void {
  const routes: RouteOptions[] = [];
  let always: string[] = [];
  const wrongCredentials = createWrongCredentialsLimit();
  /** Requests under way of which nothing is known yet. */
  const unproven = new WeakSet<IncomingMessage>();
  let late = 0;
  /** Callers by the claims that were found to be true. Of others nobody knows yet whose places they would take. */
  const provenCallers = new Map<string, string>();
  app.decorateRequest('task', null);
  app.addHook('onRoute', (route) => {
    if (isList(route)) route.config = { shed: 'first', ...route.config };
    routes.push(route); // what its plugin says of it comes after this
  });
  app.addHook('onReady', (done) => {
    always = routes.filter(({ config }) => config?.shed === 'never').map(({ url }) => url.replace(/[:*].*/, ''));
    done();
  });
  const isAlways = ({ url = '' }: IncomingMessage) => always.some((path) => url.startsWith(path));
  function isLate({ socket }: IncomingMessage): boolean {
    const acceptedAfterMs = acceptQueue.waitedMs(socket);
    return admission.isTooMuch && Math.max(acceptedAfterMs, readDelay.atMostMs()) >= LATE_MS;
  }
  const refuse = refuseEarly(app, { metrics, drain, flood: (isOne) => admission.flood(isOne) }, (request) => {
    if (isLate(request)) {
      late += 1;
      if (late % JUDGED_OF_LATE > 0 && !isAlways(request)) {
        admission.refusedUnasked();
        return true;
      }
    }
    const caller = provenCallers.get(claimOf(request));
    if (caller !== undefined) return admission.isAnybodyWaiting && admission.wouldRefuse(caller) && !isAlways(request);
    if (!hasCredentials(request) || isAlways(request)) return false;
    if (wrongCredentials.isOneTooMany()) return true;
    unproven.add(request);
    return false;
  });

  app.addHook('preValidation', (request, reply, done) => {
    if (unproven.delete(request.raw)) wrongCredentials.wereRight();
    const { shed } = request.routeOptions.config;
    if (shed === 'never') {
      done();
      return;
    }
    const task: Task = {
      caller: request.credential || addressBlock(request.ip),
      isSheddable: shed === 'first',
      hasPlace: false,
      decide(mayRun) {
        if (mayRun && !hasHungUp(request.socket)) {
          request.task = task;
          request.caller.task = task;
          done();
          return;
        }
        if (mayRun) admission.leave(task);
        reply.hijack();
        if (!mayRun) refuse(request.raw, reply.raw);
      },
    };
    remember(provenClaimOf(request), task.caller);
    admission.enter(task);
  });

  function remember(claim: string | undefined, caller: string): void {
    if (claim === undefined) return;
    if (provenCallers.size >= CLAIMS_MAX) provenCallers.clear();
    provenCallers.set(claim, caller);
  }

  app.addHook('onSend', (request, { statusCode }, payload, done) => {
    if (statusCode === 401 && request.task === null)
      provenCallers.delete(claimOf(request.raw)); // revoked, or expired
    else if (unproven.delete(request.raw)) wrongCredentials.wereRight(); // refused for another reason
    if (request.task !== null) admission.leave(request.task);
    request.task = null;
    done(null, payload);
  });
}
