import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '#lib/domain-error.ts';
import { isEncodedUtf8 } from './bodies.ts';

const RETRY_AFTER_S = 60;

/** Headers by which something is decided: of two, a proxy or a log could have believed the other one. */
const ONCE: ReadonlySet<string> = new Set(
  `host authorization x-client-id x-api-key x-terminal x-step-up x-paystack-signature idempotency-key
  content-type content-encoding origin sec-fetch-site`.split(/\s+/),
);

/**
 * Refuses what a proxy and this server could read differently: a request with several headers of one of these names, in HTTP/1.1
 * one without Host (RFC 9112, 3.2), a query that is no UTF-8, a compressed body, and in live one that comes by a proxy while none is trusted. Behind that one, all callers would have
 * the proxy's address, and share its limits. Health is answered, so that nobody restarts a server because of its proxy.
 */
export function refuseMisled(
  app: FastifyInstance,
  { environment, trustedProxies, log }: { environment: string; trustedProxies: readonly string[]; log: Logger },
): void {
  const trustsNobody = environment === 'live' && trustedProxies.length === 0;
  let isKnown = false;
  app.addHook('onRequest', (request, reply, done) => {
    const unreadable = ambiguityOf(request, reply);
    if (unreadable !== undefined) {
      done(unreadable);
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

function ambiguityOf({ raw, url, method, headers }: FastifyRequest, reply: FastifyReply): DomainError | undefined {
  const doubled = doubledHeader(raw.rawHeaders);
  if (doubled !== undefined) return new DomainError('BAD_REQUEST', `the request has more than one ${doubled} header`);
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    return new DomainError('BAD_REQUEST', 'the request has no Host header');
  }
  const query = url.indexOf('?');
  if (query >= 0 && !isEncodedUtf8(url.slice(query + 1))) {
    return new DomainError('BAD_REQUEST', 'the query is not percent-encoded UTF-8');
  }
  if (method === 'GET' || method === 'HEAD' || !isCompressed(headers['content-encoding'])) return undefined;
  reply.header('accept-encoding', 'identity');
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', 'send the body as it is, without Content-Encoding');
}

const isCompressed = (encoding: string | undefined): boolean =>
  encoding !== undefined && !/^(?:identity)?$/i.test(encoding.trim());

/** @param rawHeaders names and values by turns */
function doubledHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
