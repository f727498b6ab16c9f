import type { FastifyInstance } from 'fastify';
import type { Drain } from './drain.ts';
import type { ZodApp } from './zod-app.ts';

/** A browser loads nothing from an answer, frames it nowhere and guesses no type (OWASP REST Security). A page overrides some. */
export const safeHeaders = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Sends the safe headers with every answer of this instance. */
export function sendSafeHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safeHeaders);
    done();
  });
}

/** No cache keeps an answer of this instance: it is somebody's money, data or secret. */
export function noStore(app: ZodApp): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
}

/**
 * From when the process is about to end, each answer ends its connection: one that is kept alive would keep the server open, or
 * break under the next request.
 */
export function closeConnectionsOnShutdown(app: FastifyInstance, drain: Drain): void {
  app.addHook('preClose', async () => drain.begin());
  // With a callback: an async hook would cost every answer promises of its own.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.hasBegun) reply.header('connection', 'close');
    done(null, payload);
  });
}
