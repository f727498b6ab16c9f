import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '#lib/domain-error.ts';
import { isEncodedUtf8 } from './bodies.ts';
import { failure, noRoute } from './failures.ts';
import { safeHeaders } from './headers.ts';

const RETRY_AFTER_S = 60;

/** Headers that may come once only: of two, a proxy or a log could have read the other one. */
const ONCE: ReadonlySet<string> = new Set(
  `host authorization x-client-id x-api-key x-terminal x-step-up x-paystack-signature idempotency-key
  content-type content-encoding origin sec-fetch-site`.split(/\s+/),
);

/**
 * Rejects what a proxy and this server could read differently: two headers of one of these names, HTTP/1.1 without Host (RFC 9112,
 * 3.2), a query that is not UTF-8, a compressed body; and in live a request through a proxy that is not trusted, for all callers
 * would share the proxy's address and its limits. Health checks pass all the same, so that no orchestrator restarts the server
 * because of its proxy. OPTIONS is answered with the methods of the path, and a path without a route with 404 or 405 before the
 * body is read.
 */
export function rejectAmbiguousRequests(
  app: FastifyInstance,
  { environment, trustedProxies, log }: { environment: string; trustedProxies: readonly string[]; log: Logger },
): void {
  const rejectUntrustedProxy = createProxyCheck(environment === 'live' && trustedProxies.length === 0, log);
  app.addHook('onRequest', (request, reply, done) => {
    const allowed = request.method === 'OPTIONS' ? app.methodsAt(request.url) : [];
    if (allowed.length > 0) {
      void reply.code(204).header('allow', allowed.join(', ')).send();
      return;
    }
    const refused = ambiguityOf(request, reply) ?? rejectUntrustedProxy(request);
    done(refused ?? (request.is404 ? noRoute(request, reply) : undefined));
  });
}

/** Refuses requests through a proxy where none is trusted, and logs that once. */
function createProxyCheck(trustsNone: boolean, log: Logger) {
  let isLogged = false;
  return ({ headers, routeOptions: { url } }: FastifyRequest): DomainError | undefined => {
    if (!trustsNone || headers['x-forwarded-for'] === undefined || url?.startsWith('/health/')) return undefined;
    if (!isLogged)
      log.error({ event: 'proxy.untrusted' }, 'a proxy sends X-Forwarded-For: set TRUSTED_PROXIES to its address');
    isLogged = true;
    const message = 'this server does not know the proxy in front of it yet';
    return new DomainError('PROXY_NOT_TRUSTED', message, { retryAfterS: RETRY_AFTER_S });
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
 * Keeps the addresses of X-Forwarded-For, without ports, from the right up to the first part that is no address. What stands before
 * that part cannot be trusted, and would count as another address with each request.
 */
export function keepForwardedAddresses(headers: IncomingHttpHeaders): void {
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

const EXPECTATION_FAILED = 417;

const reasons: Record<string, [line: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'the chunks have extensions of more than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};

/** Answers what is not HTTP in the one error shape, and closes the connection: where the next request begins is unknown. */
export function answerUnparsable(error: Error & { code?: string }, socket: Duplex, log: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [line, message] = reasons[error.code ?? ''] ?? ['400 Bad Request', 'the request is not valid HTTP'];
  hangUp(socket, line, refusal(message, { address: addressOf(socket), reason: error.code }, log));
}

/** Answers `Expect` and CONNECT in the one error shape: Node would answer without a body, or only hang up. */
export function rejectUnsupportedProtocols(app: FastifyInstance, log: Logger): void {
  app.server.on('checkExpectation', ({ socket, headers }: IncomingMessage, response: ServerResponse) => {
    const seen = { address: socket.remoteAddress, reason: `expect: ${headers.expect ?? ''}` };
    const refused = refusal('no expectation but 100-continue is met', seen, log);
    response.writeHead(EXPECTATION_FAILED, refused.headers).end(refused.body);
  });
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const seen = { address: addressOf(socket), reason: 'CONNECT' };
    hangUp(socket, '405 Method Not Allowed', refusal('this is no proxy: CONNECT is not allowed', seen, log));
  });
}

const addressOf = (socket: Duplex): string | undefined => (socket as Partial<Socket>).remoteAddress;

/** Logs and builds the answer to a request that reaches no route. */
function refusal(message: string, seen: { address: string | undefined; reason: string | undefined }, log: Logger) {
  const requestId = randomUUID();
  log.info({ event: 'request.rejected', requestId, ...seen }, 'request rejected');
  const body = JSON.stringify(failure(new DomainError('BAD_REQUEST', message), requestId));
  const headers = {
    ...safeHeaders,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { headers, body };
}

function hangUp(socket: Duplex, line: string, { headers, body }: ReturnType<typeof refusal>): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${line}\r\n${lines.join('')}\r\n${body}`);
}
