import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Meter } from '#lib/meter.ts';
import { HUNG_UP, methodOf, requestId } from './observability.ts';
import type { ZodApp } from './zod-app.ts';

/** True of a client who waits for no answer any more. */
export const hasHungUp = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

/**
 * Does not serve who has hung up before their connection was taken.
 *
 * The system keeps new connections, with what was sent on them, until a busy process takes them, which can be seconds later. Node
 * reads the request first, and that its client has gone in the turn of the event loop after that. A server that began at once did the
 * work of those who had gone, was later for that, and so did nothing but such work long after the load had ended.
 */
export function leaveHungUp(app: ZodApp, { metrics }: { metrics: Pick<Meter, 'observe'> }): void {
  const { server } = app;
  const isFirst = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => isFirst.add(socket));

  app.addHook('onReady', (done) => {
    const [serve] = server.listeners('request') as [RequestListener]; // with all that was put before it
    server.removeListener('request', serve);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (isFirst.delete(request.socket)) afterTheNextTurn(() => serveOrLeave(request, response));
      else serve(request, response);
    });
    function serveOrLeave(request: IncomingMessage, response: ServerResponse): void {
      if (!hasHungUp(request.socket)) {
        serve(request, response);
        return;
      }
      const method = methodOf(request.method ?? 'GET');
      const labels = {
        http_request_method: method,
        http_route: undefined,
        http_response_status_code: String(HUNG_UP),
      };
      metrics.observe('http_server_request_duration_seconds', labels, 0);
      const line = { requestId: requestId(request), method, status: HUNG_UP };
      app.log.info(line, 'the client hung up before the server took its connection');
    }
    done();
  });
}

/** The first comes after what this turn of the event loop has read, the second after what the next has. */
function afterTheNextTurn(then: () => void): void {
  setImmediate(() => setImmediate(then));
}
