import type { FastifyInstance } from 'fastify';
import { type Caller, callers, type SecurityLog } from '#lib/security-events.ts';
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
    request.caller = {
      requestId: request.id,
      address: request.ip,
      get principal() {
        return request.credential || undefined;
      },
      concerned: {},
    };
    callers.run(request.caller, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.credential !== '') knownAddresses.note(request.credential, request.caller);
    if (callers.getStore() === request.caller) done();
    else callers.run(request.caller, done);
  });
}
