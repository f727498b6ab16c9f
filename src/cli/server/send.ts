import { setTimeout as wait } from 'node:timers/promises';
import { randomFraction } from '#lib/random.ts';
import { CommandFailure } from '../command-failure.ts';

const RETRIES = 3;
const FIRST_DELAY_MS = 200;
/** Whoever is asked to wait for longer is told so at once. */
const DELAY_MAX_MS = 20_000;
const JITTER = 0.5;
/** Codes of OpenSSL and Node.js for a certificate that does not prove whose it is. */
const NOT_TRUSTED = /CERT|UNABLE_TO_/;
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

export interface Ask {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  timeoutMs: number;
}
export interface Answer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  body: string;
}
export type Send = (ask: Ask) => Promise<Answer>;

/** By Node's own client, which is loaded in half the time of `fetch`. It follows no redirect: the token is for one server. */
export const sendByHttp: Send = async ({ method, url, headers, body, timeoutMs }) => {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(url, { method, headers, agent: false, signal }, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > ANSWER_BYTES_MAX) answer.destroy(new Error('the answer is too long'));
        else parts.push(part);
      });
      answer.once('error', reject);
      answer.once('end', () => {
        const told = Object.entries(answer.headers).map(([name, value]) => [name, value?.toString()]);
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(told),
          body: Buffer.concat(parts).toString('utf8'),
        });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
};

/**
 * Sends, and sends what may be repeated again by the rules of our client (`client/send.js`): when no answer came, and when the
 * answer says that nothing was done.
 *
 * @throws CommandFailure when no answer came
 */
export async function sendPatiently(send: Send, ask: Ask, repeatable: boolean): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = !repeatable || attempt >= RETRIES;
    let answer: Answer | undefined;
    try {
      answer = await send(ask);
    } catch (error) {
      if (isLast) throw unreachable(ask, error);
    }
    const delayMs = delayAfter(answer, attempt);
    if (answer !== undefined && (isLast || delayMs === undefined)) return answer;
    await wait(delayMs);
  }
}

/** How long to wait before it is sent again; undefined when the answer is one to keep. */
function delayAfter(answer: Answer | undefined, attempt: number): number | undefined {
  if (answer !== undefined && !asksToComeAgain(answer)) return undefined;
  const growing = FIRST_DELAY_MS * 2 ** attempt * (1 - JITTER * randomFraction());
  const asked = Number(answer?.headers['retry-after'] ?? Number.NaN);
  const delayMs = Number.isFinite(asked) && asked >= 0 ? asked * 1000 + FIRST_DELAY_MS * randomFraction() : growing;
  return delayMs <= DELAY_MAX_MS ? delayMs : undefined;
}

function asksToComeAgain({ status, headers, body }: Answer): boolean {
  if (status === 429) return headers['retry-after'] !== undefined;
  if (status === 409) return body.includes('"IDEMPOTENCY_KEY_IN_FLIGHT"');
  return status === 502 || status === 503;
}

function unreachable({ method, url, timeoutMs }: Ask, error: unknown): CommandFailure {
  const { name, code, message } = Object(error) as { name?: string; code?: string; message?: string };
  const why = name === 'TimeoutError' ? `nothing within ${timeoutMs / 1000} s` : (code ?? message ?? 'no answer');
  if (NOT_TRUSTED.test(code ?? '')) {
    const text = `the certificate of ${new URL(url).origin} is not trusted (${code}): name its authority with NODE_EXTRA_CA_CERTS`;
    return new CommandFailure('unreachable', text, { cause: error });
  }
  const next =
    method === 'GET'
      ? 'is it running, and is this its URL?'
      : 'it may have been done all the same: look, or repeat it with the same --reference or --idempotency-key.';
  return new CommandFailure('unreachable', `${new URL(url).origin} gives no answer (${why}): ${next}`, {
    cause: error,
  });
}
