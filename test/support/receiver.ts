import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { listenLocally } from '../../src/embedded/port.ts';
import { eventually } from './eventually.ts';

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
 * or it never answers (`hang`), or breaks the connection (`drop`).
 */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  | 'hang'
  | 'drop';

/** One answer for each request in turn, and 200 when they are used up; or a function of the request and its number from 0. */
export type Plan = readonly Answer[] | ((request: Received, index: number) => Answer);

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
  /** The bodies of `requests`, parsed. */
  readonly events: readonly WebhookEvent[];
  /** Sets what to answer from now on. */
  answer(plan: Plan): void;
  /** Resolves to the first request, past or coming, that `predicate` holds for. */
  waitFor(predicate: (request: Received) => boolean, timeoutMs?: number): Promise<Received>;
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
    get events() {
      return running().events;
    },
    answer: (plan) => running().answer(plan),
    waitFor: (predicate, timeoutMs) => running().waitFor(predicate, timeoutMs),
    reset: () => running().reset(),
    close: () => running().close(),
  };
}

/** A real HTTP server that records what it is sent and answers by plan. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  let plan: Plan = [];
  let planned = 0;
  const server = createServer((request, response) => {
    void record(request).then((received) => {
      requests.push(received);
      const index = planned++;
      return answer(response, typeof plan === 'function' ? plan(received, index) : (plan[index] ?? 200));
    });
  });
  const port = await listenLocally(server);

  return {
    url: `http://127.0.0.1:${port}/webhook`,
    requests,
    get events() {
      return requests.map(({ body }): WebhookEvent => JSON.parse(body.toString()));
    },
    answer(next) {
      plan = next;
      planned = 0;
    },
    waitFor: (predicate, timeoutMs = 10_000) =>
      eventually(
        () => {
          const found = requests.find(predicate);
          if (found === undefined) throw new Error(`no such request among the ${requests.length} received`);
          return found;
        },
        { timeoutMs },
      ),
    reset() {
      requests.length = 0;
      plan = [];
      planned = 0;
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

async function answer(response: ServerResponse, what: Answer): Promise<void> {
  if (what === 'hang') return;
  if (what === 'drop') {
    response.socket?.destroy();
    return;
  }
  const { status, headers = {}, body = '', afterMs = 0 } = typeof what === 'number' ? { status: what } : what;
  if (afterMs > 0) await sleep(afterMs);
  response.writeHead(status, headers).end(body);
}
