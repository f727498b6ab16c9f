import { styleText } from 'node:util';
import { PayTagError } from 'paytag/client';
import type { ServerAddress } from '../server-of.ts';

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
  /** The status without which the tour cannot go on; 200 unless given. */
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
