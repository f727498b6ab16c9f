import type { Socket } from 'node:net';
import type { Meter } from '#lib/meter.ts';
import type { ZodApp } from './zod-app.ts';

/** Requests of one connection that may be under way at once. Clients that send the next before the answer send a few. */
const PIPELINED_MAX = 32;

/**
 * Counts the requests under way, and ends a connection that sends many requests without reading the answers (HTTP pipelining): they would all be made, and
 * kept in memory until somebody read them.
 */
export function boundPipelining(app: ZodApp, metrics: Pick<Meter, 'watch'>): void {
  const underWay = new WeakMap<Socket, number>();
  let active = 0;
  metrics.watch('http_server_active_requests', () => [{ labels: {}, value: active }]);
  app.toldWhenOver.push(({ raw: { socket } }) => {
    active -= 1;
    underWay.set(socket, (underWay.get(socket) ?? 1) - 1);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request;
    const count = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, count);
    active += 1;
    if (count <= PIPELINED_MAX) {
      done();
      return;
    }
    if (!socket.destroyed) request.log.warn({ address: request.ip }, 'too many requests on one connection: ended it');
    socket.destroy();
    reply.hijack();
  });
}
