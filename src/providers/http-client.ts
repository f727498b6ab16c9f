import { Pool } from 'undici';

/** Connections to one provider at once. A request that finds none waits, within its time. */
const CONNECTIONS_MAX = 32;
/** Of an answer no more than this is taken: a list of banks is a tenth of it. */
const ANSWER_BYTES_MAX = 1024 * 1024;

const CUT = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** There was never a connection that a request could have gone over. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** What a provider answered. */
export interface ProviderAnswer {
  status: number;
  /** The parsed JSON; undefined when it was none. */
  body: unknown;
}

/** No answer came: a timeout, a broken connection, an answer too large. Its message names no address and no parameter. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The connection broke before anything came back. */
  readonly wasCut: boolean;
  /** The provider may have done what it was asked: the request may have reached it. */
  readonly mayHaveArrived: boolean;

  constructor(why: string, cause: unknown) {
    super(`no answer: ${why}`, { cause });
    this.wasCut = CUT.has(why);
    this.mayHaveArrived = !NOT_CONNECTED.has(why);
  }
}

export interface ProviderRequest {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
}

/** Speaks JSON with one provider. */
export interface ProviderClient {
  /** Sends it once, follows no redirect, and is over within the timeout. @throws NoAnswer */
  ask(request: ProviderRequest): Promise<ProviderAnswer>;
  close(): Promise<void>;
}

/** `timeoutMs` is for the whole exchange: the wait for a connection, the connecting, the headers, the body. */
export function providerClient({ origin, timeoutMs }: { origin: string; timeoutMs: number }): ProviderClient {
  const pool = new Pool(new URL(origin).origin, {
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    allowH2: false, // one connection for all would take all with it when it goes dead
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  return {
    async ask({ method, path, query = {}, headers = {}, json }) {
      const search = new URLSearchParams(query).toString();
      try {
        const { statusCode, body } = await pool.request({
          method,
          path: search === '' ? path : `${path}?${search}`,
          headers: {
            accept: 'application/json',
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          body: json === undefined ? null : JSON.stringify(json),
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { status: statusCode, body: parsed(await body.text()) };
      } catch (cause) {
        throw new NoAnswer(reason(cause), cause);
      }
    },
    close: () => pool.destroy(),
  };
}

/** A text that is no JSON is dropped, and so is what the parser says of it, which would quote it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reason(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return name === 'TimeoutError' ? 'timeout' : typeof code === 'string' ? code : 'failed';
}

/** Why an answer is of no use to who asked, for our log. Nothing of its text is told: it may quote what was asked. */
export function whyUseless({ status, body }: ProviderAnswer): string {
  if (status === 401 || status === 403) return `it refuses our credentials (status ${status})`;
  if (status === 402) return 'our balance there is too low (status 402)';
  if (status === 429) return 'we ask too often (status 429)';
  if (status >= 200 && status < 300)
    return body === undefined ? 'it answers no JSON' : 'its answer is not as documented';
  return `status ${status}`;
}
