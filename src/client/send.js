import { setTimeout as wait } from 'node:timers/promises';
import { PayTagConnectionError, retryAfterS } from './paytag-error.js';

const RETRIES = 3;
const TIMEOUT_MS = 30_000;
const FIRST_DELAY_MS = 200;
/** Who is asked to wait for longer than this is told so at once. */
const DELAY_MAX_MS = 20_000;
const JITTER = 0.5;
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Operations that are not sent again by themselves: a password or a code would be tried twice, a code sent twice, an application
 * registered twice, a webhook recorded twice. They take no Idempotency-Key.
 */
export const sentOnce = new Set([
  'POST /sso/auth-code',
  'GET /sso/token',
  'GET /sso/{session}/otp',
  'GET /sso/create-tag/{onboarding}/otp',
  'POST /v1/applications',
  'POST /sandbox/hooks/{mode}/{key}',
]);

/**
 * True of what can be sent again without being done twice. A DELETE is not, for its second answer is another one.
 *
 * @param {string} method
 * @param {string} path as the OpenAPI document writes it
 */
export const canBeRepeated = (method, path) =>
  ['GET', 'PUT', 'POST'].includes(method) && !sentOnce.has(`${method} ${path}`);

/**
 * Gives what sends a request and returns the whole answer. A request that may be repeated is sent again when no answer came, and when
 * the answer says that nothing was done: 429, 502, 503, and 409 while the first of its Idempotency-Key still runs.
 *
 * @param {import('./index.d.ts').SendOptions} options
 * @returns {(request: Request, repeatable: boolean) => Promise<Response>}
 * @throws {PayTagConnectionError} when no answer came
 */
export function createSend({ retries = RETRIES, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch }) {
  /** @param {Request} request */
  async function sendOnce(request) {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await fetch(new Request(request.clone(), { signal }));
    const body = await answer.arrayBuffer();
    const { status, statusText, headers } = answer;
    return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
  }

  return async (request, repeatable) => {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = !repeatable || attempt >= retries;
      /** @type {Response | undefined} */
      let answer;
      try {
        answer = await sendOnce(request);
      } catch (error) {
        request.signal.throwIfAborted();
        if (isLast) throw new PayTagConnectionError(`${request.method} ${request.url} got no answer`, error);
      }
      const delayMs = await delayAfter(answer, attempt);
      if (answer !== undefined && (isLast || delayMs === undefined)) return answer;
      await wait(delayMs, undefined, { signal: request.signal });
    }
  };
}

/**
 * How long to wait before the request is sent again; undefined when the answer is one to keep.
 *
 * @param {Response | undefined} answer
 * @param {number} attempt from 0
 */
async function delayAfter(answer, attempt) {
  if (answer !== undefined && !(await asksToComeAgain(answer))) return undefined;
  const growing = FIRST_DELAY_MS * 2 ** attempt * (1 - JITTER * Math.random());
  const asked = answer === undefined ? undefined : retryAfterS(answer.headers);
  const delayMs = asked === undefined ? growing : asked * 1000 + FIRST_DELAY_MS * Math.random();
  return delayMs <= DELAY_MAX_MS ? delayMs : undefined;
}

/** @param {Response} answer */
async function asksToComeAgain(answer) {
  if (answer.status === 429) return answer.headers.has('retry-after');
  if (answer.status === 409) return (await answer.clone().text()).includes('"IDEMPOTENCY_KEY_IN_FLIGHT"');
  return answer.status === 502 || answer.status === 503;
}
