import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '#lib/domain-error.ts';

const RETRY_AFTER_S = 60;

/**
 * Refuses what a proxy and this server could read differently: a request with several Host headers or, in HTTP/1.1, none (RFC 9112, 3.2); and in live one that comes
 * by a proxy while none is trusted. Behind that one, all callers would have the proxy's address, and share its limits. Health
 * is answered, so that nobody restarts a server because of its proxy.
 */
export function refuseMisled(
  app: FastifyInstance,
  { environment, trustedProxies, log }: { environment: string; trustedProxies: readonly string[]; log: Logger },
): void {
  const trustsNobody = environment === 'live' && trustedProxies.length === 0;
  let isKnown = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const hosts = countHosts(request.raw.rawHeaders);
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
      const many = hosts > 1 ? 'more than one' : 'no';
      done(new DomainError('BAD_REQUEST', `the request has ${many} Host header`));
      return;
    }
    const isMisled = trustsNobody && request.headers['x-forwarded-for'] !== undefined;
    if (!isMisled || request.routeOptions.url?.startsWith('/health/') === true) {
      done();
      return;
    }
    if (!isKnown) log.error('a proxy sends X-Forwarded-For, and none is trusted: set TRUSTED_PROXIES to its address');
    isKnown = true;
    const message = 'this server does not know the proxy in front of it yet';
    done(new DomainError('PROXY_NOT_TRUSTED', message, { retryAfterS: RETRY_AFTER_S }));
  });
}

/** @param rawHeaders names and values by turns */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
