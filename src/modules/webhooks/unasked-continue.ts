import type { Socket } from 'node:net';

const STATUS_LINE = 'HTTP/1.1 100 ';
const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/;
const HEAD_END = '\r\n\r\n';
/** A longer head is left to undici, which breaks the connection. */
const HEAD_BYTES_MAX = 16 * 1024;
const NONE = Buffer.alloc(0);

/**
 * Has undici read over each `100 Continue` that comes before an answer: nobody asked for one, but a client must bear with it
 * (RFC 9110, 15.2), and undici breaks the connection. Other interim answers it reads itself. For connections that carry one
 * request at a time.
 */
export function withoutContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isBeforeAnswer = false;
  let held: Buffer = NONE;
  return Object.assign(socket, {
    write(...args: unknown[]) {
      isBeforeAnswer = true;
      return write(...args);
    },
    read() {
      for (;;) {
        const chunk = read();
        if (chunk === null || !isBeforeAnswer) return chunk;
        held = afterContinues(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
        if (mayBeContinue(held)) continue;
        const answer = held;
        held = NONE;
        isBeforeAnswer = false;
        return answer;
      }
    },
  });
}

const startOf = (bytes: Buffer): string => bytes.toString('latin1', 0, STATUS_LINE.length);

function afterContinues(bytes: Buffer): Buffer {
  let rest = bytes;
  while (CONTINUE.test(startOf(rest))) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) break;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** Too little has come to tell, or its head has not ended. */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > HEAD_BYTES_MAX) return false;
  const start = startOf(bytes);
  return CONTINUE.test(start) || (bytes.length < STATUS_LINE.length && 'HTTP/1.'.startsWith(start.slice(0, 7)));
}
