import { connect, type Socket } from 'node:net';
import { nextUnique, UNIQUE } from '../load/unique.ts';

/**
 * Sends requests at a rate, whatever the server answers, as callers do who do not know of each other. It does not wait for
 * an answer before it sends the next request, and a caller whose patience ends hangs up. It is ordered, and reports, by
 * messages of its parent process.
 */

export interface OpenLoadOrder {
  readonly port: number;
  /** Requests a second. */
  readonly rate: number;
  readonly ms: number;
  /** After so long a caller hangs up. */
  readonly patienceMs: number;
  /** More are not open at once: who finds none free is turned away here, and counts as one that hung up. */
  readonly connectionsMax: number;
  /** Whole requests with their heads, sent by turns. */
  readonly requests: readonly string[];
}

export interface OpenLoadReport {
  readonly seconds: number;
  readonly sent: number;
  /** What each answer of success took. */
  readonly acceptedMs: Float64Array;
  /** When it came, since the order. */
  readonly acceptedAtMs: Float64Array;
  /** What each 503 took. */
  readonly refusedMs: Float64Array;
  readonly hungUp: number;
  /** Answers that are neither, by status. */
  readonly others: Readonly<Record<string, number>>;
}

interface Connection {
  readonly socket: Socket;
  unread: string;
  sentAt: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const CLOSES = /\r\nconnection: close/i;
const STATUS_AT = 'HTTP/1.1 '.length;
const TICK_MS = 2;

function carryOut(order: OpenLoadOrder): Promise<OpenLoadReport> {
  const { port, rate, ms, patienceMs, connectionsMax, requests } = order;
  const parts = requests.map((request) => request.split(UNIQUE));
  const accepted: number[] = [];
  const acceptedAt: number[] = [];
  const refused: number[] = [];
  const others: Record<string, number> = {};
  const idle: Connection[] = [];
  /** Those that wait for an answer, the oldest first. */
  const waiting = new Set<Connection>();
  let open = 0;
  let hungUp = 0;
  let sent = 0;
  const started = performance.now();

  function answered(connection: Connection, status: string, closes: boolean): void {
    const now = performance.now();
    const took = now - connection.sentAt;
    waiting.delete(connection);
    if (status.startsWith('2')) {
      accepted.push(took);
      acceptedAt.push(now - started);
    } else if (status === '503') refused.push(took);
    else others[status] = (others[status] ?? 0) + 1;
    if (closes) connection.socket.destroy();
    else idle.push(connection);
  }

  function newConnection(): Connection {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const connection: Connection = { socket, unread: '', sentAt: 0 };
    open += 1;
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open -= 1;
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      if (waiting.delete(connection)) hungUp += 1;
    });
    socket.on('data', (part: string) => {
      connection.unread += part;
      const headEnd = connection.unread.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = connection.unread.slice(0, headEnd + 2);
      const bodyEnd = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (connection.unread.length < bodyEnd) return;
      connection.unread = '';
      answered(connection, head.slice(STATUS_AT, STATUS_AT + 3), CLOSES.test(head));
    });
    return connection;
  }

  function send(turn: number): void {
    sent += 1;
    const connection = idle.pop() ?? (open < connectionsMax ? newConnection() : undefined);
    if (connection === undefined) {
      hungUp += 1;
      return;
    }
    const [before = '', after] = parts[turn % parts.length] ?? [];
    connection.sentAt = performance.now();
    waiting.add(connection);
    connection.socket.write(after === undefined ? before : before + nextUnique() + after);
  }

  return new Promise((resolve) => {
    let turn = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      const due = Math.min(now - started, ms) * (rate / 1000);
      while (turn < due) send(turn++);
      for (const connection of waiting) {
        if (now - connection.sentAt < patienceMs) break;
        connection.socket.destroy();
      }
      if (now - started < ms || waiting.size > 0) return;
      clearInterval(timer);
      for (const { socket } of idle) socket.destroy();
      resolve({
        seconds: ms / 1000,
        sent,
        acceptedMs: Float64Array.from(accepted),
        acceptedAtMs: Float64Array.from(acceptedAt),
        refusedMs: Float64Array.from(refused),
        hungUp,
        others,
      });
    }, TICK_MS);
  });
}

process.on('message', (order: OpenLoadOrder) => {
  void carryOut(order).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
