import { request } from 'undici';

const SHOWN_CHARACTERS_MAX = 300;
const TIMEOUT_MS = 15_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Reply<Body> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Body;
  text: string;
}

export interface CallOptions {
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  /** The status that the story needs next (200). */
  expect?: number;
}

/** Leads through the story: makes each call for real, prints it with what came back, and ticks what holds. */
export class Guide {
  readonly #origin: string;
  readonly #print: (line: string) => void;
  calls = 0;
  ticks = 0;

  constructor(origin: string, print: (line: string) => void) {
    this.#origin = origin;
    this.#print = print;
  }

  chapter(title: string): void {
    this.#print(`\n\u001b[1m${title}\u001b[0m`);
  }

  /** Calls the server. @throws Error when the answer is not the one the story needs */
  async call<Body = unknown>(method: Method, path: string, options: CallOptions = {}): Promise<Reply<Body>> {
    const { json, form, expect = 200 } = options;
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const payload = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json);
    const answer = await request(this.#origin + path, {
      method,
      headers: { ...options.headers, ...(payload === undefined ? {} : { 'content-type': type }) },
      body: payload ?? null,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const text = await answer.body.text();
    this.calls += 1;
    this.#print(`  ${method} ${shortened(path)} → ${answer.statusCode}  ${shortened(text)}`);
    if (answer.statusCode !== expect) throw new Error(`${method} ${path} answered ${answer.statusCode}, not ${expect}`);
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: (isJson ? JSON.parse(text) : text) as Body,
    };
  }

  /** Ticks a promise that was kept. @throws Error when it was not */
  tick(promise: string, kept: boolean): void {
    if (!kept) throw new Error(`not so: ${promise}`);
    this.ticks += 1;
    this.#print(`  ✓ ${promise}`);
  }
}

/** Long values are cut, so that a line stays one; what is secret in them is this sandbox's own. */
const shortened = (text: string): string =>
  text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)} …` : text;
