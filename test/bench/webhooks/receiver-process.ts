import { createServer, type Socket } from 'node:net';
import { listenLocally } from '../../../src/embedded/port.ts';

/**
 * The one receiver of the benchmark, a process of its own. It parses just enough of HTTP itself, so that the receiver is
 * not what is measured. POST /hang is never answered; any other POST is answered with 200. It reports to its parent
 * process by messages.
 */

/** Asks to report when `count` more requests have come. The process answers `counting` at once. */
export interface CountRequest {
  readonly count: number;
  /** Whether to report the time of each event as well. */
  readonly timed: boolean;
}

/** Times are milliseconds of the machine's monotonic clock, which all processes share. */
export interface CountReport {
  readonly firstMs: number;
  readonly lastMs: number;
  /** The time of each event by its reference. */
  readonly at: readonly (readonly [reference: string, atMs: number])[];
}

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const REFERENCE = /"reference":"([^"]+)"/;

let request: CountRequest | undefined;
let seen = 0;
let firstMs = 0;
let at: [string, number][] = [];

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

function received(body: Buffer): void {
  if (request === undefined) return;
  const atMs = nowMs();
  if (seen === 0) firstMs = atMs;
  seen += 1;
  if (request.timed) at.push([REFERENCE.exec(body.toString())?.[1] ?? '', atMs]);
  if (seen < request.count) return;
  request = undefined;
  process.send?.({ firstMs, lastMs: atMs, at } satisfies CountReport);
}

function serve(socket: Socket): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (part: Buffer) => {
    unread = unread.length === 0 ? part : Buffer.concat([unread, part]);
    for (;;) {
      const headEnd = unread.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = unread.toString('latin1', 0, headEnd);
      const end = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (unread.length < end) return;
      const body = unread.subarray(headEnd + HEAD_END.length, end);
      unread = unread.subarray(end);
      if (head.startsWith('POST /hang')) continue;
      received(body);
      socket.write(OK);
    }
  });
}

process.on('message', (message: CountRequest) => {
  request = message;
  seen = 0;
  at = [];
  process.send?.('counting');
});
process.on('disconnect', () => process.exit());

const server = createServer(serve);
process.send?.({ port: await listenLocally(server) });
