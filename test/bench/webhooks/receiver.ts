import { createServer, type Socket } from 'node:net';
import { listenLocally } from '../../../src/embedded/port.ts';

/**
 * The one receiver of the benchmark, a process of its own: it reads HTTP itself, as little of it as will do, so that it is
 * not what is measured. POST /hang is never answered; whatever else is posted is answered with 200. It reports to its
 * parent by messages.
 */

/** Asks for a Report when this many more requests have come; the answer that it counts comes first. */
export interface Ask {
  readonly count: number;
  /** With the moment each event came, by its reference. */
  readonly timed: boolean;
}

/** Moments are of the machine's monotonic clock, in milliseconds, which all processes share. */
export interface Report {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly at: readonly (readonly [reference: string, atMs: number])[];
}

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const REFERENCE = /"reference":"([^"]+)"/;

let asked: Ask | undefined;
let seen = 0;
let firstMs = 0;
let at: [string, number][] = [];

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

function received(body: Buffer): void {
  if (asked === undefined) return;
  const moment = nowMs();
  if (seen === 0) firstMs = moment;
  seen += 1;
  if (asked.timed) at.push([REFERENCE.exec(body.toString())?.[1] ?? '', moment]);
  if (seen < asked.count) return;
  asked = undefined;
  process.send?.({ firstMs, lastMs: moment, at } satisfies Report);
}

function serve(socket: Socket): void {
  let held: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (part: Buffer) => {
    held = held.length === 0 ? part : Buffer.concat([held, part]);
    for (;;) {
      const headEnd = held.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = held.toString('latin1', 0, headEnd);
      const end = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (held.length < end) return;
      const body = held.subarray(headEnd + HEAD_END.length, end);
      held = held.subarray(end);
      if (head.startsWith('POST /hang')) continue;
      received(body);
      socket.write(OK);
    }
  });
}

process.on('message', (ask: Ask) => {
  asked = ask;
  seen = 0;
  at = [];
  process.send?.('counting');
});
process.on('disconnect', () => process.exit());

const server = createServer(serve);
process.send?.({ port: await listenLocally(server) });
