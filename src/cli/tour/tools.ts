import { EventEmitter, on } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { styleText } from 'node:util';
import {
  createPayTag,
  createPayTagApplication,
  type PayTag,
  type PayTagApplication,
  PayTagError,
  verifyWebhook,
} from 'paytag/client';
import { randomDigits } from '#lib/random.ts';
import type { ServerAddress } from '../server-of.ts';

/** Part of every name and reference of this run, so that the tour can be taken again on the same server. */
export const runId = randomDigits(6);

export const PASSWORD = 'correct horse battery staple';
export const SIMULATOR_OTP = '123456';

export const ada = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1994-05-17', bvn: `30001${runId}` };
export const bola = {
  firstName: 'Bola',
  lastName: 'Ade',
  dateOfBirth: '1990-01-02',
  bvn: `30002${runId}`,
  phone: '08051234567',
};
export const handles = { ada: `ada${runId}`, bola: `bola${runId}`, till: `market${runId}`, taxi: `rides${runId}` };

/** What every chapter is given. */
export interface TourContext {
  tour: Tour;
  receiver: WebhookReceiver;
  /** The operator's credentials. */
  operator: Record<string, string>;
}

interface PartnerCredentials {
  id: string;
  clientId: string;
  apiKey: string;
}
export interface Partner extends PartnerCredentials {
  paytag: PayTag;
}

interface ApplicationCredentials {
  applicationId: string;
  client_id: string;
  client_secret: string;
}
export interface Application extends ApplicationCredentials {
  calls: PayTagApplication;
}

/** An answer of the switch to a caller without the client. */
export interface Enveloped<Data> {
  data: Data;
}

/** A partner who calls by the client, of which the tour prints every request. */
export const asPartner = ({ origin, fetch }: Tour, given: PartnerCredentials): Partner => ({
  ...given,
  paytag: createPayTag({ ...given, baseUrl: `${origin}/v2`, fetch }),
});

export const asApplication = ({ origin, fetch }: Tour, given: ApplicationCredentials): Application => ({
  ...given,
  calls: createPayTagApplication({
    baseUrl: `${origin}/api`,
    clientId: given.client_id,
    clientSecret: given.client_secret,
    fetch,
  }),
});

const SHOWN_CHARACTERS_MAX = 240;
const TIMEOUT_MS = 15_000;

type Method = 'GET' | 'POST';

interface Reply<Body> {
  headers: Headers;
  body: Body;
  text: string;
}

interface CallOptions {
  headers?: Record<string, string>;
  json?: unknown;
  /** The status that the tour needs to continue; 200 by default. */
  expect?: number;
}

/** Has calls made over HTTP, prints each with its answer, and checks and counts what the server promises. */
export class Tour {
  readonly origin: string;
  readonly #operatorOrigin: string;
  readonly #print: (line: string) => void;
  chapters = 0;
  calls = 0;
  checks = 0;

  constructor(server: ServerAddress, print: (line: string) => void) {
    this.origin = server.url;
    this.#operatorOrigin = server.operatorUrl;
    this.#print = print;
  }

  chapter(title: string): void {
    this.chapters += 1;
    this.#print(styleText('bold', `\n${this.chapters}. ${title}`));
  }

  /** Sends a request of ours or of the client, and prints it with its answer. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const sent = await request.clone().text();
    this.#print(`  ${request.method} ${shortened(`${pathname}${search}  ${sent}`.trimEnd())}`);
    const answer = await fetch(request);
    this.calls += 1;
    const bytes = Buffer.from(await answer.clone().arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const isText = bytes.length === 0 || /json|text/.test(type);
    this.#print(`    → ${answer.status}  ${isText ? shortened(bytes.toString()) : `${type}, ${bytes.length} bytes`}`);
    return answer;
  };

  /**
   * Calls what the client does not: the operator's API, what anybody may ask, and links that the server gave.
   *
   * @param path a path, or a whole URL
   * @throws Error when the status is not the expected one
   */
  async call<Body = unknown>(
    method: Method,
    path: string,
    { headers = {}, json, expect = 200 }: CallOptions = {},
  ): Promise<Reply<Body>> {
    const content = json === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.fetch(
      new Request(new URL(path, path.startsWith('/operator/') ? this.#operatorOrigin : this.origin), {
        method,
        headers: { ...headers, ...content },
        body: json === undefined ? null : JSON.stringify(json),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
    );
    if (answer.status !== expect) throw new Error(`${method} ${path} answered ${answer.status}, not ${expect}`);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { headers: answer.headers, text, body: (isJson ? JSON.parse(text) : text) as Body };
  }

  /** Awaits a call that must be refused with this status. @throws Error when it is not */
  async refused(status: number, call: Promise<unknown>): Promise<void> {
    const refusal = await call.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal instanceof PayTagError && refusal.status === status) return;
    throw refusal ?? new Error(`a call was not refused with ${status}`);
  }

  /** Prints and counts a promise of the server that holds. @throws Error when it does not */
  check(promise: string, holds: boolean): void {
    if (!holds) throw new Error(`this does not hold: ${promise}`);
    this.checks += 1;
    this.#print(`  ✓ ${promise}`);
  }
}

/** Text on one line, cut to a readable length. Its secrets are those of a sandbox. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_CHARACTERS_MAX ? `${line.slice(0, SHOWN_CHARACTERS_MAX)} …` : line;
}

const WAIT_MAX_MS = 60_000;

export interface Delivery {
  /** Who received it: the path it was sent to. */
  to: string;
  event: string;
  reference: string;
  body: Buffer;
  headers: IncomingHttpHeaders;
  /** What this receiver answered. */
  answered: number;
}

export type WebhookReceiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts the receiver of all webhooks of this tour, on this machine. It answers the very first one with 500, so that it is sent again. */
export async function startReceiver() {
  const received: Delivery[] = [];
  const deliveries = new EventEmitter();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const answered = received.length === 0 ? 500 : 200;
      const { event, reference } = JSON.parse(body.toString()) as { event: string; reference: string };
      const to = (request.url ?? '').slice(1);
      received.push({ to, event, reference, body, headers: request.headers, answered });
      response.writeHead(answered).end();
      deliveries.emit('delivery');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const accepted = (matches: (delivery: Delivery) => boolean) =>
    received.find((delivery) => delivery.answered === 200 && matches(delivery));

  return {
    urlOf: (name: string) => `http://127.0.0.1:${port}/${name}`,
    received,
    /** Waits for an accepted delivery that `matches`, unless it has come already. @throws Error when none comes in time */
    async until(matches: (delivery: Delivery) => boolean): Promise<Delivery> {
      let found = accepted(matches);
      if (found !== undefined) return found;
      for await (const _ of on(deliveries, 'delivery', { signal: AbortSignal.timeout(WAIT_MAX_MS) })) {
        found = accepted(matches);
        if (found !== undefined) return found;
      }
      throw new Error('the webhook did not come');
    },
    close: () => server.close(),
  };
}

/** Verifies a webhook, as every receiver must before it trusts one. @throws PayTagSignatureError */
export const verify = (clientId: string, { body, headers }: Delivery): boolean =>
  verifyWebhook({ body, headers, clientId }).id !== '';
