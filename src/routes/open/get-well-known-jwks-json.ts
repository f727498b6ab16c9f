import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { jwks, KEYS_CACHED_S } from '#modules/keys';

/** The public keys that our tokens verify with (RFC 7517). The next one is there before it signs, so it may be cached. */
export function getWellKnownJwksJson(app: ZodApp, deps: DepsOf<typeof jwks>): void {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${KEYS_CACHED_S}`);
    return jwks(deps);
  });
}
