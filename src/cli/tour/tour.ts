import { styleText } from 'node:util';
import { request } from 'undici';

const SHOWN_CHARACTERS_MAX = 240;
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
  /** The status without which the tour cannot go on; 200 unless given. */
  expect?: number;
}

/** Makes the calls of the tour over HTTP, prints each with its answer, and checks and counts what the server promises. */
export class Tour {
  readonly #origin: string;
  readonly #print: (line: string) => void;
  chapters = 0;
  calls = 0;
  checks = 0;

  constructor(origin: string, print: (line: string) => void) {
    this.#origin = origin;
    this.#print = print;
  }

  chapter(title: string): void {
    this.chapters += 1;
    this.#print(styleText('bold', `\n${this.chapters}. ${title}`));
  }

  /**
   * Calls the server and returns its answer.
   *
   * @param path a path, or a whole URL that the server gave
   * @throws Error when the status is not the expected one
   */
  async call<Body = unknown>(method: Method, path: string, options: CallOptions = {}): Promise<Reply<Body>> {
    const { json, form, expect = 200 } = options;
    const sentType = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const payload = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json);
    this.#print(`  ${method} ${shortened([path, payload].filter(Boolean).join('  '))}`);
    const answer = await request(new URL(path, this.#origin), {
      method,
      headers: { ...options.headers, ...(payload === undefined ? {} : { 'content-type': sentType }) },
      body: payload ?? null,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const type = String(answer.headers['content-type']);
    const text = bytes.toString();
    this.calls += 1;
    const shown = text === '' || /json|text/.test(type) ? shortened(text) : `${type}, ${bytes.length} bytes`;
    this.#print(`    → ${answer.statusCode}  ${shown}`);
    if (answer.statusCode !== expect) throw new Error(`${method} ${path} answered ${answer.statusCode}, not ${expect}`);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: (type.startsWith('application/json') ? JSON.parse(text) : text) as Body,
    };
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
