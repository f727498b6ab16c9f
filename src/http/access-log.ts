import type { FastifyInstance } from 'fastify';
import { traceId } from './request-id.ts';

/** One line for each answer, by route template: a URL, a header or a body could hold a secret. */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
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
