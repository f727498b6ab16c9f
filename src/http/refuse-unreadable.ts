import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { DomainError } from '#lib/domain-error.ts';
import { failure } from './failures.ts';
import { safeHeaders } from './response-headers.ts';

const reasons: Record<string, [line: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};

/** Answers what is not HTTP in the one error shape, and hangs up: there is no telling where the next request begins. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket, log: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [line, message] = reasons[error.code ?? ''] ?? ['400 Bad Request', 'the request is not valid HTTP'];
  const requestId = randomUUID();
  log.info({ requestId, route: 'unknown', address: socket.remoteAddress, reason: error.code }, 'refused');
  const body = JSON.stringify(failure(new DomainError('BAD_REQUEST', message), requestId));
  const headers = [
    ...Object.entries(safeHeaders).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    `x-request-id: ${requestId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`HTTP/1.1 ${line}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}
