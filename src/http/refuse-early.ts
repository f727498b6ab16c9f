import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import { answerEarly } from './answer-early.ts';
import type { Drain } from './drain.ts';
import { methodOf } from './observability.ts';
import type { ZodApp } from './zod-app.ts';

/** Refusals of a second. Those that come on top wait: a caller who asks again at once asks so much less often. */
const REFUSALS_PER_S = 3000;
const TURN_MS = 25;
const OF_A_TURN = (REFUSALS_PER_S * TURN_MS) / 1000;
/** Refusals that wait. Who comes on top of them is hung up on. */
const WAITING_MAX = 8192;
/** Refusals that waited in so many turns in a row are a flood. */
const FLOOD_TURNS = 4;
/** How often the log says how many were refused. */
const REPORT_MS = 1000;

const RETRY_AFTER_S = 1;
const MESSAGE = 'more is asked than can be answered in time: send the same request again';

/** Refuses one request, which was not begun. */
export type Refuse = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Refuses requests before they cost anything, with 503 and Retry-After. However many there are, to refuse them takes a small
 * part of the time, so that those who ask again and again take nothing from those who are let in. The log has a line a second
 * of how many there were.
 *
 * @param flood told when refusals begin to wait for their turn, and when none does any more
 * @param isRefused asked of each request on arrival
 * @returns refuses one that was found to come too late after that, which is measured as all that Fastify has seen
 */
export function refuseEarly(
  app: ZodApp,
  { metrics, drain, flood }: { metrics: Pick<Meter, 'add' | 'observe'>; drain: Drain; flood: (isOne: boolean) => void },
  isRefused: (request: IncomingMessage) => boolean,
): Refuse {
  const waiting: Parameters<Refuse>[] = [];
  let left = OF_A_TURN;
  let turns: NodeJS.Timeout | undefined;
  let turnsWaited = 0;
  let isFlood = false;
  let unreported = 0;
  let report: NodeJS.Timeout | undefined;

  const answer: Refuse = (request, response) => {
    const error = new DomainError('BUSY', MESSAGE, { retryAfterS: RETRY_AFTER_S });
    answerEarly(app, drain, error, request, response);
  };

  function takeTurn(): void {
    const turn = waiting.splice(0, OF_A_TURN);
    for (const [request, response] of turn) if (!response.destroyed) answer(request, response);
    left = OF_A_TURN - turn.length;
    turnsWaited = waiting.length > 0 ? turnsWaited + 1 : 0;
    if (isFlood !== turnsWaited >= FLOOD_TURNS) flood((isFlood = !isFlood));
    if (turn.length > 0) return;
    clearInterval(turns);
    turns = undefined;
  }

  function measure({ method = 'GET' }: IncomingMessage): void {
    const labels = { http_request_method: methodOf(method), http_route: undefined, http_response_status_code: '503' };
    metrics.observe('http_server_request_duration_seconds', labels, 0);
  }

  function count(): void {
    unreported += 1;
    metrics.add('paytag_requests_refused_total', {});
    report ??= setTimeout(() => {
      app.log.warn({ refused: unreported }, 'refused what could not be answered in time');
      unreported = 0;
      report = undefined;
    }, REPORT_MS).unref();
  }

  const refuse: Refuse = (request, response) => {
    count();
    turns ??= setInterval(takeTurn, TURN_MS);
    if (left > 0) {
      left -= 1;
      answer(request, response);
    } else if (waiting.length < WAITING_MAX) waiting.push([request, response]);
    else request.destroy();
  };

  const { server } = app;
  const [serve] = server.listeners('request') as [RequestListener];
  server.removeListener('request', serve);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isRefused(request)) {
      serve(request, response);
      return;
    }
    measure(request);
    refuse(request, response);
  });
  return refuse;
}
