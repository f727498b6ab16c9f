import type { FastifyInstance } from 'fastify';
import { traceId } from './request-id.ts';

/** One line for each answer, by route template: a URL, a header or a body could hold a secret. */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        traceId: traceId(request.headers.traceparent),
        partner: request.partner?.id,
      },
      'answered',
    );
  });
}
