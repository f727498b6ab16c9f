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

/** No cache keeps an answer of this instance: it is somebody's money, data or secret. */
export function noStore(app: ZodApp): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
}
