import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import { answerEarly } from './answer-early.ts';
import type { Drain } from './drain.ts';
import { HUNG_UP, methodOf, requestId } from './observability.ts';
import type { ZodApp } from './zod-app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The app that answers a URL: this one, or the one that is made late. */
    appAt: (url: string) => ZodApp | Promise<ZodApp>;
  }
}

const RETRY_AFTER_S = 1;
const FAILED = 'this part of the server could not be loaded: send the same request again';

/**
 * Has some paths of a server answered by an app of their own, which is made when the first request for one of them comes. What most
 * processes are never asked for takes no part of their start and of their memory. The requests that came meanwhile wait; if it cannot be
 * made they are refused with 503, and a second later the next one tries again. It has the port of the first app, and ends with it.
 *
 * @param isIts asked for the path of every request
 * @param make builds an app that is ready, and does not listen
 */
export function answerLate(
  app: ZodApp,
  { metrics, drain }: { metrics: Pick<Meter, 'observe'>; drain: Drain },
  { isIts, make }: { isIts: (path: string) => boolean; make: () => Promise<ZodApp> },
): void {
  let made: Promise<ZodApp> | undefined;
  const late = (): Promise<ZodApp> =>
    (made ??= make().catch((error: unknown) => {
      app.log.error({ err: error }, 'a part of the server could not be loaded: it is tried again in a second');
      setTimeout(() => (made = undefined), RETRY_AFTER_S * 1000).unref();
      throw error;
    }));

  async function handOver(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const loaded = await late().catch(
      (cause: unknown) => new DomainError('BUSY', FAILED, { retryAfterS: RETRY_AFTER_S, cause }),
    );
    const isRefused = loaded instanceof DomainError;
    if (!isRefused && !response.destroyed) return loaded.routing(request, response);
    const { method = 'GET' } = request;
    const status = response.destroyed ? HUNG_UP : 503;
    const labels = {
      http_request_method: methodOf(method),
      http_route: undefined,
      http_response_status_code: String(status),
    };
    metrics.observe('http_server_request_duration_seconds', labels, 0);
    app.log.info(
      { requestId: requestId(request), method, status },
      'not answered by a part of the server that was not loaded',
    );
    if (isRefused && !response.destroyed) answerEarly(app, drain, loaded, request, response);
  }

  app.decorate('appAt', (url: string) => (isIts(pathOf(url)) ? late() : app));
  const { server } = app;
  const [serve] = server.listeners('request') as [RequestListener];
  server.removeListener('request', serve);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isIts(pathOf(request.url))) void handOver(request, response);
    else serve(request, response);
  });
  app.addHook('onClose', async () => {
    await made?.then(
      (one) => one.close(),
      () => undefined,
    );
  });
}

/** The path of a URL as the router reads it: of one that names the host as well (RFC 9112 3.2.2), and decoded. */
export function pathOf(url = '/'): string {
  const end = url.search(/[?#]/);
  const whole = end < 0 ? url : url.slice(0, end);
  if (whole.startsWith('/') && !whole.includes('%')) return whole;
  const path = whole.replace(/^https?:\/\/[^/]*/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
