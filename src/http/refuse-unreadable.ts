import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DomainError } from '#lib/domain-error.ts';
import { failure } from './failures.ts';
import { safeHeaders } from './response-headers.ts';

const EXPECTATION_FAILED = 417;

const reasons: Record<string, [line: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are larger than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'the chunks have extensions of more than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};

/** Answers what is not HTTP in the one error shape, and hangs up: there is no telling where the next request begins. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Duplex, log: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [line, message] = reasons[error.code ?? ''] ?? ['400 Bad Request', 'the request is not valid HTTP'];
  hangUp(socket, line, refusal(message, { address: addressOf(socket), reason: error.code }, log));
}

/** Answers in the one error shape what Node's server would answer without a body, or only hang up at. */
export function refuseUnasked(app: FastifyInstance, log: Logger): void {
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

/** The answer to what no route has seen; it is noted in the log. */
function refusal(message: string, seen: { address: string | undefined; reason: string | undefined }, log: Logger) {
  const requestId = randomUUID();
  log.info({ requestId, route: 'unknown', ...seen }, 'refused');
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
