import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '#lib/domain-error.ts';

const RETRY_AFTER_S = 60;

/**
 * Refuses what a proxy and this server could read differently: a request with several Host headers, and in live one that comes
 * by a proxy while none is trusted. Behind that one, all callers would have the proxy's address, and share its limits. Health
 * is answered, so that nobody restarts a server because of its proxy.
 */
export function refuseMisled(
  app: FastifyInstance,
  { environment, trustedProxies, log }: { environment: string; trustedProxies: readonly string[]; log: Logger },
): void {
  const trustsNobody = environment === 'live' && trustedProxies.length === 0;
  let isKnown = false;
  app.addHook('onRequest', async (request) => {
    const names = request.raw.rawHeaders.filter((_, at) => at % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
      throw new DomainError('BAD_REQUEST', 'the request has more than one Host header');
    }
    if (!trustsNobody || request.headers['x-forwarded-for'] === undefined) return;
    if (request.routeOptions.url?.startsWith('/health/') === true) return;
    if (!isKnown) log.error('a proxy sends X-Forwarded-For, and none is trusted: set TRUSTED_PROXIES to its address');
    isKnown = true;
    throw new DomainError('PROXY_NOT_TRUSTED', 'this server does not know the proxy in front of it yet', {
      retryAfterS: RETRY_AFTER_S,
    });
  });
}
