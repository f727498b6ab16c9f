import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Taken from X-Request-Id when it is well formed, made otherwise. */
export function requestId(request: IncomingMessage | { headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The trace id of a well-formed W3C traceparent header. */
export function traceId(traceparent: unknown): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const id = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(traceparent)?.[1];
  return id === undefined || /^0+$/.test(id) ? undefined : id;
}
