import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, RouteOptions } from 'fastify';
import type { Admission } from '#lib/admission.ts';
import type { Meter } from '#lib/meter.ts';
import { refuseEarly } from './refuse-early.ts';
import type { ZodApp } from './zod-app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `first` where a request is refused before others are, `never` where it is always answered; else after the first. */
    shed?: 'first' | 'never';
  }
  interface FastifyRequest {
    /** Whose place it has among those that are answered at once; null while it has none. */
    placeOf: string | null;
  }
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
  const query = (schema as { querystring?: { shape?: object } } | undefined)?.querystring?.shape ?? {};
  return 'limit' in query || 'size' in query;
}

/** Who takes turns with others, before anybody knows whether they are who they say: those who are not take no place. */
function callerOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const clientId = headers['x-client-id'];
  return typeof clientId === 'string' ? clientId : (headers.authorization ?? socket.remoteAddress ?? '');
}

/**
 * Refuses what cannot be answered in time, with 503 and Retry-After; nothing of it was done. A request takes a place once its
 * caller is known and its body is there, and gives it back with its answer. Who hung up while they waited is not served.
 */
export function shedLoad(
  app: ZodApp,
  { admission, metrics }: { admission: Admission; metrics: Pick<Meter, 'add'> },
): void {
  const always: string[] = [];
  app.decorateRequest('placeOf', null);
  app.addHook('onRoute', (route) => {
    if (isList(route)) route.config = { shed: 'first', ...route.config };
    if (route.config?.shed === 'never') always.push(route.url.replace(/[:*].*/, ''));
  });
  const refuse = refuseEarly(app, metrics, (request) => {
    const { url = '' } = request;
    return admission.wouldRefuse(callerOf(request)) && !always.some((path) => url.startsWith(path));
  });

  app.addHook('preValidation', (request, reply, done) => {
    const { shed } = request.routeOptions.config;
    if (shed === 'never') {
      done();
      return;
    }
    const caller = callerOf(request.raw);
    admission.enter({
      caller,
      isSheddable: shed === 'first',
      decide(mayRun) {
        if (mayRun) request.placeOf = caller;
        if (mayRun && !request.socket.destroyed) {
          done();
          return;
        }
        leave(request);
        reply.hijack();
        if (!mayRun) refuse(request.raw, reply.raw);
      },
    });
  });

  function leave(request: FastifyRequest): void {
    if (request.placeOf === null) return;
    admission.leave(request.placeOf);
    request.placeOf = null;
  }

  app.addHook('onSend', (request, _reply, payload, done) => {
    leave(request);
    done(null, payload);
  });
}
