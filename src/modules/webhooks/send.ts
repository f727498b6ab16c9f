import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { buildConnector, Client, Dispatcher } from 'undici';
import { undici } from '#lib/lazy.ts';
import { type DeliveryError, errorClass, type SendResult } from './outcome.ts';
import type { AddressPolicy, Resolve } from './target.ts';
import { guardedConnector } from './target.ts';

/** The most that is read and kept of an answer. */
const ANSWER_BYTES_MAX = 16 * 1024;
/** Shorter than most servers' keep-alive, so that an attempt does not meet a connection that the server is closing. */
const KEEP_ALIVE_MS = 4_000;
/** The wait for the rest of an answer after its status. The rest decides nothing and is kept as far as it arrived. */
const REST_MAX_MS = 1_000;
const SUCCESS = new Set([200, 201]);

export interface Sender {
  /** Posts the bytes once, follows no redirect, and ends within the timeout. Errors are in the result. */
  send(url: string, headers: Record<string, string>, body: Buffer): Promise<SendResult>;
  close(): Promise<void>;
}

export interface SenderOptions {
  /** For the whole exchange, including the connection. */
  timeoutMs: number;
  allows: AddressPolicy;
  resolve: Resolve;
  /** The number of slots, so that no request waits for a connection. */
  connectionsPerOrigin: number;
}

/** A pool of HTTP/1.1 connections, only to addresses that `allows` permits. */
export function createSender({ timeoutMs, allows, resolve, connectionsPerOrigin }: SenderOptions): Sender {
  const { Agent, Pool } = undici();
  const connect = guardedConnector(allows, resolve, timeoutMs);
  const agent = new Agent({
    factory: (origin, options) => new Pool(origin, Object.assign({}, options, { connect, factory: listeningClient })),
    connections: connectionsPerOrigin,
    pipelining: 1,
    allowH2: false, // as the connector: otherwise all wait for the first connection's protocol
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // one timer of ours covers the whole exchange
    bodyTimeout: 0,
  });
  return {
    send(url, headers, body) {
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method: 'POST', headers, body } as const;
      return new Promise((resolved) => {
        const exchange = new Exchange(timeoutMs, resolved);
        agent.dispatch(request, exchange);
      });
    },
    close: () => agent.destroy(),
  };
}

/** A connection that reports the status line to its exchange. */
function listeningClient(origin: URL, options: Client.Options): Dispatcher {
  const lines: StatusLines = {};
  const connect: buildConnector.connector = (to, done) =>
    (options.connect as buildConnector.connector)(to, (...[error, socket]) =>
      error === null ? done(null, readStatusLines(socket, lines)) : done(error, null),
    );
  const client = new (undici().Client)(origin, { ...options, connect });
  const dispatch = client.dispatch.bind(client);
  return Object.assign(client, {
    dispatch(request: Dispatcher.DispatchOptions, exchange: Exchange) {
      exchange.lines = lines;
      return dispatch(request, exchange);
    },
  });
}

/** One request and its answer, until the answer is read, the timeout passes or the connection breaks. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now();
  readonly #resolve: (result: SendResult) => void;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout;
  /** Of its connection. */
  lines: StatusLines = {};
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #statusCode: number | null = null;
  #retryAfter: string | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(timeoutMs: number, resolve: (result: SendResult) => void) {
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(() => this.#finish('timeout'), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.lines.onStatus = (statusCode) => this.#onStatus(statusCode);
    if (this.#over) this.#hangUp(); // timed out before it had a connection: do not send it
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    _statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#retryAfter = [headers['retry-after']].flat()[0];
  }

  /** The status decides; the rest gets REST_MAX_MS. */
  #onStatus(statusCode: number): void {
    this.#statusCode = statusCode;
    const leftMs = Math.max(0, this.#timeoutMs - (performance.now() - this.#startedAt));
    clearTimeout(this.#timer);
    if (!this.#over) this.#timer = setTimeout(() => this.#finish('timeout'), Math.min(leftMs, REST_MAX_MS));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const space = ANSWER_BYTES_MAX - this.#bytes;
    this.#chunks.push(chunk.subarray(0, space));
    this.#bytes += chunk.length;
    if (chunk.length > space) this.#finish('reset');
  }

  onResponseEnd(): void {
    this.#finish('reset', { hangUp: false });
  }

  onRequestUpgrade(): void {
    this.#finish('not http');
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish(errorClass(error, this.#controller !== undefined), { hangUp: false });
  }

  /** Ends the exchange once. An answer with a status counts, however the rest of it ended. */
  #finish(failure: DeliveryError, { hangUp = true } = {}): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    const statusCode = this.#statusCode;
    const error = statusCode === null ? failure : SUCCESS.has(statusCode) ? null : (`status ${statusCode}` as const);
    this.#resolve({
      statusCode,
      error,
      response: this.#bytes === 0 ? null : Buffer.concat(this.#chunks),
      retryAfter: this.#retryAfter,
      durationMs: Math.round(performance.now() - this.#startedAt),
    });
    if (hangUp) this.#hangUp();
  }

  #hangUp(): void {
    this.#controller?.abort(new Error('abandoned'));
  }
}

const STATUS_LINE = /^HTTP\/\d(?:\.\d)?[ \t]{1,8}(\d{3})[ \t\r\n]/i;
/** Enough for version and code of any status line. */
const STATUS_BYTES_MAX = 32;
const HEAD_END = /\r?\n\r?\n/;
/** undici closes the connection on a longer head of an interim answer. */
const HEAD_BYTES_MAX = 16 * 1024;
const SWITCHING_PROTOCOLS = 101;
const NONE = Buffer.alloc(0);

/** The listener on one connection, which carries one request at a time. */
interface StatusLines {
  onStatus?: (statusCode: number) => void;
}

/**
 * Reads the status line of each answer before undici does. The status alone decides, while undici rejects an answer for much of
 * what follows: a repeated length, a long head, lines that end with LF alone, a connection that ends within the head.
 * Removes interim answers (1xx), which a client must accept at any time (RFC 9110, 15.2).
 */
function readStatusLines(socket: Socket, lines: StatusLines): Socket {
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
        if (status === 'incomplete' && held.length <= HEAD_BYTES_MAX) continue;
        if (typeof status === 'number') lines.onStatus?.(status);
        held = NONE;
        isBeforeAnswer = false;
        return rest;
      }
    },
  });
}

/** The first final status, and the bytes from its line on. `none`: the other side does not speak HTTP. */
function readStatus(bytes: Buffer): { rest: Buffer; status: number | 'incomplete' | 'none' } {
  let rest = withoutEmptyLines(bytes);
  for (;;) {
    const start = rest.toString('latin1', 0, STATUS_BYTES_MAX);
    const [, digits] = STATUS_LINE.exec(start) ?? [];
    if (digits === undefined) return { rest, status: mayBecomeStatusLine(start) ? 'incomplete' : 'none' };
    const status = Number(digits);
    if (status >= 200 || status < 100 || status === SWITCHING_PROTOCOLS) return { rest, status };
    const end = HEAD_END.exec(rest.toString('latin1', 0, HEAD_BYTES_MAX));
    if (end === null) return { rest, status: 'incomplete' };
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
