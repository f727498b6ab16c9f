import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '#lib/domain-error.ts';
import { isEncodedUtf8 } from './bodies.ts';
import { noRoute } from './failures.ts';

const RETRY_AFTER_S = 60;

/** Headers that decide something: of two, a proxy or a log could have believed the other one. */
const ONCE: ReadonlySet<string> = new Set(
  `host authorization x-client-id x-api-key x-terminal x-step-up x-paystack-signature idempotency-key
  content-type content-encoding origin sec-fetch-site`.split(/\s+/),
);

export interface RejectDeps {
  environment: string;
  trustedProxies: readonly string[];
  log: Logger;
  /** The methods of a URL's path; none where nothing is. */
  methodsAt: (url: string) => string[];
}

/**
 * A hook that refuses what a proxy and this server could read differently: a request with several headers of one of these names,
 * in HTTP/1.1 one without Host (RFC 9112, 3.2), a query that is no UTF-8, a compressed body, and in live one that comes by a proxy
 * while none is trusted: all callers would have the proxy's address, and share its limits. Health is answered all the same, so that
 * nobody restarts a server because of its proxy. OPTIONS is answered with the methods of its path, and what no route takes with 404
 * or 405, whatever its body.
 */
export function rejectAmbiguousRequests({ environment, trustedProxies, log, methodsAt }: RejectDeps) {
  const trustsNobody = environment === 'live' && trustedProxies.length === 0;
  let isKnown = false;
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const allowed = request.method === 'OPTIONS' ? methodsAt(request.url) : [];
    if (allowed.length > 0) {
      void reply.code(204).header('allow', allowed.join(', ')).send();
      return;
    }
    const unreadable = ambiguityOf(request, reply);
    const isMisled = trustsNobody && request.headers['x-forwarded-for'] !== undefined;
    if (request.is404 && unreadable === undefined && !isMisled) {
      done(noRoute(request, reply, methodsAt)); // before the body is read
      return;
    }
    if (unreadable !== undefined || !isMisled || request.routeOptions.url?.startsWith('/health/') === true) {
      done(unreadable);
      return;
    }
    if (!isKnown) log.error('a proxy sends X-Forwarded-For, and none is trusted: set TRUSTED_PROXIES to its address');
    isKnown = true;
    const message = 'this server does not know the proxy in front of it yet';
    done(new DomainError('PROXY_NOT_TRUSTED', message, { retryAfterS: RETRY_AFTER_S }));
  };
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

/** As some gateways write an address: `203.0.113.9:40001`, `[2001:db8::1]:40001`. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]+)\])(?::\d{1,5})?$/;

/**
 * Leaves in X-Forwarded-For the addresses from the right up to the first part that is none, without ports. What stands before that
 * part was written by nobody that can be named, and would count as an address of its own with each request.
 */
export function trustAddressesOnly(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for'];
  if (given === undefined) return;
  const written = String(given)
    .split(',')
    .map((part) => {
      const trimmed = part.trim();
      const [, v4, v6] = WITH_PORT.exec(trimmed) ?? [];
      return v4 ?? v6 ?? trimmed;
    });
  const from = written.findLastIndex((address) => isIP(address) === 0 || address.includes('%')) + 1;
  headers['x-forwarded-for'] = written.slice(from).join(', ');
}
