import type { FastifyInstance } from 'fastify';

/**
 * What a browser may do with an answer: show nothing of it, frame it nowhere, guess nothing about it (OWASP REST Security).
 * The same text each time, so it is written down once and not worked out for every answer. A page says more.
 */
const headers = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Sends the safe headers with every answer of this instance. */
export function sendSafeHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
