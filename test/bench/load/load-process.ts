import { connect, type Socket } from 'node:net';
import { nextUnique, UNIQUE } from './unique.ts';

/**
 * The load generator, a process of its own. It speaks just enough of HTTP/1.1 itself, over connections that stay open, so
 * that it is not what is measured. It is ordered, and reports, by messages of its parent process.
 */

export interface LoadOrder {
  readonly port: number;
  /** Requests in flight, each on a connection of its own. */
  readonly connections: number;
  readonly ms: number;
  /** Whole requests with their heads. They are sent by turns, and over again unless `once`. */
  readonly requests: readonly string[];
  readonly once?: boolean;
  /** Whether to report the bodies of the answers. */
  readonly keepBodies?: boolean;
}

export interface LoadReport {
  readonly count: number;
  readonly seconds: number;
  readonly latenciesMs: Float64Array;
  readonly bodies: readonly string[];
}

interface Answer {
  readonly status: string;
  readonly body: string;
}

interface Connection {
  exchange(request: string): Promise<Answer>;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: chunked/i;
/** What a body in chunks ends with; it stays in chunks for whoever keeps it. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;
const idle = new Map<number, Connection[]>();

function open(port: number): Connection {
  let unread: Buffer = Buffer.alloc(0);
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const end = (error: Error) => {
    idle.set(
      port,
      (idle.get(port) ?? []).filter((one) => one !== connection),
    );
    waiting?.reject(error);
  };
  socket.on('error', end);
  socket.on('close', () => end(new Error('the server closed the connection')));
  socket.on('data', (part: Buffer) => {
    unread = unread.length === 0 ? part : Buffer.concat([unread, part]);
    const headEnd = unread.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = unread.toString('latin1', 0, headEnd);
    const bodyAt = headEnd + HEAD_END.length;
    const isChunked = CHUNKED.test(head);
    if (isChunked && unread.toString('latin1', unread.length - LAST_CHUNK.length) !== LAST_CHUNK) return;
    const bodyEnd = isChunked ? unread.length : bodyAt + Number(LENGTH.exec(head)?.[1] ?? 0);
    if (unread.length < bodyEnd) return;
    const answer = { status: head.slice(STATUS_AT, STATUS_AT + 3), body: unread.toString('utf8', bodyAt, bodyEnd) };
    unread = unread.subarray(bodyEnd);
    const asked = waiting;
    waiting = undefined;
    asked?.resolve(answer);
  });
  const connection: Connection = {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
  };
  return connection;
}

async function carryOut({ port, connections, ms, requests, once, keepBodies }: LoadOrder): Promise<LoadReport> {
  const latencies: number[] = [];
  const bodies: string[] = [];
  const parts = requests.map((request) => request.split(UNIQUE));
  const started = performance.now();
  let turn = 0;
  const turnsMax = once ? parts.length : Number.POSITIVE_INFINITY;
  const work = async (): Promise<void> => {
    const connection = idle.get(port)?.pop() ?? open(port);
    while (performance.now() - started < ms && turn < turnsMax) {
      const pieces = parts[turn++ % parts.length] ?? [];
      const at = performance.now();
      const { status, body } = await connection.exchange(
        pieces.length === 1 ? (pieces[0] ?? '') : pieces.join(nextUnique()),
      );
      latencies.push(performance.now() - at);
      if (!status.startsWith('2')) throw new Error(`${pieces[0]?.split('\r\n')[0]} answered ${status}: ${body}`);
      if (keepBodies) bodies.push(body);
    }
    idle.set(port, [...(idle.get(port) ?? []), connection]);
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - started) / 1000;
  return { count: latencies.length, seconds, latenciesMs: Float64Array.from(latencies), bodies };
}

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
