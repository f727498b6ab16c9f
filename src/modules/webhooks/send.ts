import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { buildConnector, Client, Dispatcher } from 'undici';
import { undici } from '#lib/lazy.ts';
import type { AddressPolicy } from './address-policy.ts';
import { guardedConnector } from './connector.ts';
import { type DeliveryError, errorClass } from './error-class.ts';
import type { Resolve } from './resolve.ts';

const STATUS_LINE = /^HTTP\/\d(?:\.\d)?[ \t]{1,8}(\d{3})[ \t\r\n]/i;
/** No status line that is one needs more for its version and its code. */
const STATUS_BYTES_MAX = 32;
const HEAD_END = /\r?\n\r?\n/;
/** A longer head of an interim answer is left to undici, which breaks the connection. */
const HEAD_BYTES_MAX = 16 * 1024;
const SWITCHING_PROTOCOLS = 101;
const NONE = Buffer.alloc(0);

/** Who is told of the status lines of a connection that carries one request at a time. */
interface StatusLines {
  onStatus?: (statusCode: number) => void;
}

/**
 * Hears the status line of each answer before undici reads it. What follows decides nothing, and undici breaks the connection at much
 * of it: a length that is said twice, a head that is long, lines that end with LF alone, a connection that ends within the head.
 * Takes out each interim answer (1xx) that comes before: nobody asked for one, but a client must bear with it (RFC 9110, 15.2).
 */
function hearStatusLines(socket: Socket, lines: StatusLines): Socket {
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

/** Of an answer at most this much is read, and kept. */
const ANSWER_BYTES_MAX = 16 * 1024;
/** Idle connections close before those of most servers, so that a new attempt does not meet a closed door. */
const KEEP_ALIVE_MS = 4_000;
/** How long the rest of an answer is waited for once its status is known: it decides nothing, and is kept as far as it came. */
const REST_MAX_MS = 1_000;
const SUCCESS = new Set([200, 201]);

/** How sending ended. Without `error` the receiver has the event. */
export interface SendResult {
  statusCode: number | null;
  error: DeliveryError | `status ${number}` | null;
  /** The first 16 KiB of the answer. */
  response: Buffer | null;
  retryAfter: string | undefined;
  durationMs: number;
}

export interface Sender {
  /** Posts the bytes once, follows no redirect, and is over within the timeout. What went wrong is in the result. */
  send(url: string, headers: Record<string, string>, body: Buffer): Promise<SendResult>;
  close(): Promise<void>;
}

export interface SenderOptions {
  /** For the whole exchange, connecting included. */
  timeoutMs: number;
  allows: AddressPolicy;
  resolve: Resolve;
  /** As many as are ever in flight at once, so that no request waits for a connection. */
  connectionsPerOrigin: number;
}

/** Opens a pool of HTTP/1.1 connections, which connect only to addresses that `allows` permits. */
export function createSender({ timeoutMs, allows, resolve, connectionsPerOrigin }: SenderOptions): Sender {
  const { Agent, Pool } = undici();
  const connect = guardedConnector(allows, resolve, timeoutMs);
  const agent = new Agent({
    factory: (origin, options) => new Pool(origin, Object.assign({}, options, { connect, factory: listeningClient })),
    connections: connectionsPerOrigin,
    pipelining: 1,
    allowH2: false, // as the connector: else all wait for the first connection, to learn what it speaks
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // one timer stands for all of them
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

/** A connection that tells the exchange on it of the status line, which is all that decides. */
function listeningClient(origin: URL, options: Client.Options): Dispatcher {
  const lines: StatusLines = {};
  const connect: buildConnector.connector = (to, done) =>
    (options.connect as buildConnector.connector)(to, (...[error, socket]) =>
      error === null ? done(null, hearStatusLines(socket, lines)) : done(error, null),
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

/** One request and what comes back of it, until the answer is read, the time is over or something breaks. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now();
  readonly #resolve: (result: SendResult) => void;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout;
  /** Of the connection that it is sent on. */
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
    this.lines.onStatus = (statusCode) => this.#hear(statusCode);
    if (this.#over) this.#hangUp(); // given up while it waited for its connection: it is not sent any more
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    _statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#retryAfter = [headers['retry-after']].flat()[0];
  }

  /** Its status is there: what decides. The rest is waited for a little. */
  #hear(statusCode: number): void {
    this.#statusCode = statusCode;
    const leftMs = Math.max(0, this.#timeoutMs - (performance.now() - this.#startedAt));
    clearTimeout(this.#timer);
    if (!this.#over) this.#timer = setTimeout(() => this.#finish('timeout'), Math.min(leftMs, REST_MAX_MS));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = ANSWER_BYTES_MAX - this.#bytes;
    this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += chunk.length;
    if (chunk.length > room) this.#finish('reset');
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

  /** Ends it once. A receiver that gave its status has answered, however the rest of its answer ended. */
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
    this.#controller?.abort(new Error('given up'));
  }
}
