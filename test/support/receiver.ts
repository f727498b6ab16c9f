import { subtle } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { listenLocally } from '../../src/embedded/port.ts';
import { eventually } from './eventually.ts';

const SLOW_ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const BYTE_EVERY_MS = 1_000;

/** A request as it came in. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact bytes. */
  readonly body: Buffer;
  readonly at: Date;
}

/**
 * What the receiver does with a request: a status; or more exactly a status, headers and a body, after a while;
 * or it never answers (`hang`), breaks the connection (`drop`), or sends its answer at one byte a second (`trickle`).
 */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  | 'hang'
  | 'drop'
  | 'trickle';

/** One answer for each request in turn, and 200 when they are used up; or a function of the request and its number from 0. */
export type Plan = readonly Answer[] | ((request: Received, index: number) => Answer | Promise<Answer>);

/** The contract's envelope of every event. */
export interface WebhookEvent {
  readonly event: string;
  readonly reference: string;
  readonly data: Record<string, unknown>;
}

export interface Receiver {
  readonly url: string;
  /** All requests so far, the oldest first. */
  readonly requests: readonly Received[];
  /** Those of them that were answered with 200 or 201. */
  readonly accepted: readonly Received[];
  /** The bodies of `requests`, parsed. */
  readonly events: readonly WebhookEvent[];
  /** Sets what to answer from now on. */
  answer(plan: Plan): void;
  /** Resolves to the first request, past or coming, that `predicate` holds for. */
  waitFor(predicate: (request: Received) => boolean): Promise<Received>;
  /** Forgets the requests and the plan. */
  reset(): void;
  close(): Promise<void>;
}

/** A webhook receiver for this test file, on 127.0.0.1. */
export function useReceiver(): Receiver {
  let receiver: Receiver | undefined;
  const running = () => {
    if (receiver === undefined) throw new Error('the receiver runs from beforeAll to afterAll');
    return receiver;
  };
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver?.close());
  return {
    get url() {
      return running().url;
    },
    get requests() {
      return running().requests;
    },
    get accepted() {
      return running().accepted;
    },
    get events() {
      return running().events;
    },
    answer: (plan) => running().answer(plan),
    waitFor: (predicate) => running().waitFor(predicate),
    reset: () => running().reset(),
    close: () => running().close(),
  };
}

/** A real HTTP server that records what it is sent and answers by plan. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const accepted: Received[] = [];
  let plan: Plan = [];
  let next = 0;
  const server = createServer((request, response) => {
    void record(request).then(async (received) => {
      requests.push(received);
      const index = next++;
      const planned = typeof plan === 'function' ? await plan(received, index) : (plan[index] ?? 200);
      if (accepts(planned)) accepted.push(received);
      await answer(response, planned);
    });
  });
  const port = await listenLocally(server);

  return {
    url: `http://127.0.0.1:${port}/webhook`,
    requests,
    accepted,
    get events() {
      return requests.map(({ body }): WebhookEvent => JSON.parse(body.toString()));
    },
    answer(given) {
      plan = given;
      next = 0;
    },
    waitFor: (predicate) =>
      eventually(() => {
        const found = requests.find(predicate);
        if (found === undefined) throw new Error(`no such request among the ${requests.length} received`);
        return found;
      }),
    reset() {
      requests.length = 0;
      accepted.length = 0;
      plan = [];
      next = 0;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function record(request: IncomingMessage): Promise<Received> {
  const at = new Date();
  const { method = '', url: path = '', headers } = request;
  return { method, path, headers, body: await buffer(request), at };
}

function accepts(what: Answer): boolean {
  const status = typeof what === 'object' ? what.status : what;
  return status === 200 || status === 201;
}

async function answer(response: ServerResponse, what: Answer): Promise<void> {
  if (what === 'hang') return;
  if (what === 'drop') {
    response.socket?.destroy();
    return;
  }
  if (what === 'trickle') {
    await trickle(response.socket);
    return;
  }
  const { status, headers = {}, body = '', afterMs = 0 } = typeof what === 'number' ? { status: what } : what;
  if (afterMs > 0) await sleep(afterMs);
  response.writeHead(status, headers).end(body);
}

/** From the first byte of the status line on, for as long as the other side listens. */
async function trickle(socket: Socket | null): Promise<void> {
  for (const byte of SLOW_ANSWER) {
    if (socket === null || socket.destroyed) return;
    socket.write(byte);
    await sleep(BYTE_EVERY_MS, undefined, { ref: false });
  }
}

/** A MAC of `message` by Web Cryptography, which nothing of ours signs with. */
async function macOf(hash: 'SHA-256' | 'SHA-512', key: Buffer<ArrayBuffer>, message: Uint8Array<ArrayBuffer>) {
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign']);
  return Buffer.from(await subtle.sign('HMAC', imported, message));
}

/** True when the request carries the R-Signature that `clientId` makes of its exact bytes. */
export async function isSigned(request: Received, clientId: string): Promise<boolean> {
  const mac = await macOf('SHA-512', Buffer.from(clientId), Buffer.from(request.body));
  return request.headers['r-signature'] === mac.toString('hex');
}

/** The signature of Standard Webhooks that `secret` makes of the exact bytes of a request, its id and its timestamp. */
export async function standardSignature({ headers, body }: Received, secret: string): Promise<string> {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
  const mac = await macOf('SHA-256', key, Buffer.concat([Buffer.from(signed), body]));
  return `v1,${mac.toString('base64')}`;
}
