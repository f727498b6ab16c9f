import type { FastifyInstance } from 'fastify';
import { type Caller, callers, type SecurityLog } from '#lib/security-events.ts';

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
 * Lets whatever runs on behalf of a request know who calls. Twice, because a body arrives as events of the socket, which know
 * nothing of the request.
 */
export function knowCallers(app: FastifyInstance, securityLog: SecurityLog): void {
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
  app.addHook('preValidation', (request, _reply, done) => callers.run(request.caller, done));
}
