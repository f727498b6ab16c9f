import type { Socket } from 'node:net';

const STATUS_LINE = /^HTTP\/\d(?:\.\d)?[ \t]{1,8}(\d{3})[ \t\r\n]/i;
/** No status line that is one needs more for its version and its code. */
const STATUS_BYTES_MAX = 32;
const HEAD_END = /\r?\n\r?\n/;
/** A longer head of an interim answer is left to undici, which breaks the connection. */
const HEAD_BYTES_MAX = 16 * 1024;
const SWITCHING_PROTOCOLS = 101;
const NONE = Buffer.alloc(0);

/** Who is told of the status lines of a connection that carries one request at a time. */
export interface StatusLines {
  onStatus?: (statusCode: number) => void;
}

/**
 * Hears the status line of each answer before undici reads it. What follows decides nothing, and undici breaks the connection at much
 * of it: a length that is said twice, a head that is long, lines that end with LF alone, a connection that ends within the head.
 * Takes out each interim answer (1xx) that comes before: nobody asked for one, but a client must bear with it (RFC 9110, 15.2).
 */
export function hearStatusLines(socket: Socket, lines: StatusLines): Socket {
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
        const { rest, status } = readStatus(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
        held = rest;
        if (status === 'to come' && held.length <= HEAD_BYTES_MAX) continue;
        if (typeof status === 'number') lines.onStatus?.(status);
        held = NONE;
        isBeforeAnswer = false;
        return rest;
      }
    },
  });
}

/** The first status that is final, and the bytes from its line on. `none`: the other side speaks something else. */
function readStatus(bytes: Buffer): { rest: Buffer; status: number | 'to come' | 'none' } {
  let rest = withoutEmptyLines(bytes);
  for (;;) {
    const start = rest.toString('latin1', 0, STATUS_BYTES_MAX);
    const [, digits] = STATUS_LINE.exec(start) ?? [];
    if (digits === undefined) return { rest, status: mayBecomeStatusLine(start) ? 'to come' : 'none' };
    const status = Number(digits);
    if (status >= 200 || status < 100 || status === SWITCHING_PROTOCOLS) return { rest, status };
    const end = HEAD_END.exec(rest.toString('latin1', 0, HEAD_BYTES_MAX));
    if (end === null) return { rest, status: 'to come' };
    rest = withoutEmptyLines(rest.subarray(end.index + end[0].length));
  }
}

const withoutEmptyLines = (bytes: Buffer): Buffer => {
  const at = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  return at < 0 ? NONE : bytes.subarray(at);
};

const mayBecomeStatusLine = (start: string): boolean =>
  start.length < STATUS_BYTES_MAX &&
  !start.includes('\n') &&
  /^HTTP\//i.test(start.padEnd(5, 'HTTP/'.slice(start.length)));
