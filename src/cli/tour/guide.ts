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
  /** The status that the story needs next (200). */
  expect?: number;
}

/** Leads through the story: makes each call for real, prints it with what came back, and ticks what holds. */
export class Guide {
  readonly #origin: string;
  readonly #print: (line: string) => void;
  chapters = 0;
  calls = 0;
  ticks = 0;

  constructor(origin: string, print: (line: string) => void) {
    this.#origin = origin;
    this.#print = print;
  }

  chapter(title: string): void {
    this.chapters += 1;
    this.#print(styleText('bold', `\n${this.chapters}. ${title}`));
  }

  /**
   * Calls the server: a path on it, or a link that it gave.
   *
   * @throws Error when the answer is not the one the story needs
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

  /** Ticks a promise that was kept. @throws Error when it was not */
  tick(promise: string, kept: boolean): void {
    if (!kept) throw new Error(`not so: ${promise}`);
    this.ticks += 1;
    this.#print(`  ✓ ${promise}`);
  }
}

/** Long values are cut, so that a line stays one; what is secret in them is this sandbox's own. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_CHARACTERS_MAX ? `${line.slice(0, SHOWN_CHARACTERS_MAX)} …` : line;
}
