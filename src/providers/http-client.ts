import { z } from 'zod';
import { undici } from '#lib/lazy.ts';
import type { ProviderHealth } from './seen/port.ts';

/** Connections to one provider at once. A request waits for a free one, within its timeout. */
const CONNECTIONS_MAX = 32;
/** A longer answer is refused. A list of banks is a tenth of it. */
const ANSWER_BYTES_MAX = 1024 * 1024;

const CUT = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** There was no connection, so that the request cannot have arrived. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** What a provider answered. */
export interface ProviderAnswer {
  status: number;
  /** The parsed JSON; undefined when the body is not JSON. */
  body: unknown;
}

/** No answer came: a timeout, a broken connection, an answer that is too large. The message names no parameter. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The connection broke before an answer came. */
  readonly wasCut: boolean;
  /** The request may have arrived: the provider may have done what it was asked to. */
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

/** Sends JSON requests to one provider. */
export interface ProviderClient {
  /** Sends a request once and follows no redirect. @throws NoAnswer when there is no answer within the timeout */
  ask(request: ProviderRequest): Promise<ProviderAnswer>;
  /** As this process has seen it; undefined before the first answer. */
  health(): ProviderHealth | undefined;
  close(): Promise<void>;
}

/**
 * Opens a pool of connections to one provider.
 *
 * @param timeoutMs for the whole exchange: waiting for a connection, connecting, headers and body
 */
export function providerClient({ origin, timeoutMs }: { origin: string; timeoutMs: number }): ProviderClient {
  const pool = new (undici().Pool)(new URL(origin).origin, {
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    allowH2: false, // on one connection for all, all requests would fail when it dies
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  let seen: { isUp: boolean; since: number } | undefined;
  const note = (isUp: boolean) => {
    if (seen?.isUp !== isUp) seen = { isUp, since: performance.now() };
  };
  return {
    health: () => seen && { isUp: seen.isUp, forMs: performance.now() - seen.since },
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
        const text = await body.text();
        note(statusCode < 500);
        return { status: statusCode, body: parsed(text) };
      } catch (cause) {
        note(false);
        throw new NoAnswer(reasonOf(cause), cause);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Undefined when the text is not JSON. The parser's error is dropped, because it quotes the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return name === 'TimeoutError' ? 'timeout' : typeof code === 'string' ? code : 'failed';
}

/** Why an answer cannot be used, for our log. Never quotes its text, which may repeat what was sent. */
export function unusableBecause({ status, body }: ProviderAnswer): string {
  if (status === 401 || status === 403) return `it refuses our credentials (status ${status})`;
  if (status === 402) return 'our balance there is too low (status 402)';
  if (status === 429) return 'we ask too often (status 429)';
  if (status >= 200 && status < 300)
    return body === undefined ? 'it answers no JSON' : 'its answer is not as documented';
  return `status ${status}`;
}

/**
 * What a provider calls something by, as it can be stored and found again: an id or a code. A longer one, or one that the
 * database cannot hold, is none.
 */
export const nameText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'it cannot be stored');

/** What a provider writes for people, as it can be stored and shown: cut to its greatest length, with spaces for control characters. */
export const shownText = (text: string, max: number): string =>
  text
    .slice(0, max)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed();

/** What others wrote of a payment, as far as it can be stored: money that came in is booked whatever was written. */
export const sentWords = z
  .string()
  .transform((text) => shownText(text, 500))
  .optional()
  .catch(undefined);

/** The most that an account can hold, in minor units. */
const MOST = 999_999_999_999_999;

/** Minor units, which are whole. */
export const kobo = z.int().min(0).max(MOST).transform(BigInt);
