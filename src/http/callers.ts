import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Task } from '#lib/admission.ts';
import { type Caller, type Concerned, callers, type SecurityLog } from '#lib/security-events.ts';
import type { KnownAddresses } from '#modules/known-addresses';

declare module 'fastify' {
  interface FastifyInstance {
    securityLog: SecurityLog;
  }
  interface FastifyRequest {
    caller: Caller;
    /** Why the request was refused; empty while it was not. */
    errorCode: string;
  }
}

/** Made for each request: who calls is read from it when it is asked for, because it is not known yet. */
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

/**
 * Lets whatever runs on behalf of a request know who calls, and notes from where their credentials are used. Twice, because a body arrives as events of the socket, which know
 * nothing of the request.
 */
export function knowCallers(
  app: FastifyInstance,
  { securityLog, knownAddresses }: { securityLog: SecurityLog; knownAddresses: KnownAddresses },
): void {
  app.decorate('securityLog', securityLog);
  app.decorateRequest('errorCode', '');
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = new RequestCaller(request);
    callers.run(request.caller, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { credential, key } = request;
    if (credential !== '') knownAddresses.note(key === '' ? credential : `${credential}:${key}`, request.caller);
    if (callers.getStore() === request.caller) done();
    else callers.run(request.caller, done);
  });
}
