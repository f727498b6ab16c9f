import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Listens on a port, on Linux with several sockets, over which the system spreads the connections.
     *
     * @returns the port, which 0 leaves to the system
     * @throws Error EADDRINUSE when another process has it
     */
    listenOn(at: { host: string; port: number }): Promise<number>;
  }
}

/**
 * Listening sockets of a port: several where the system spreads connections over them. A worker of node:cluster, which has a channel
 * to the process that began it, is handed its connections.
 */
const SOCKETS = process.platform === 'linux' && process.channel === undefined ? 16 : 1;

/** What Node's own HTTP server takes connections with. */
const LIKE_HTTP = { noDelay: true, allowHalfOpen: true };

/**
 * Lets a server take many connections at once.
 *
 * In each turn of the event loop Node takes one connection from a listening socket, and the turns of a busy process take tens of
 * milliseconds. With one socket, more callers came than were taken, health checks among them, and each had hung up before its
 * turn came.
 */
export function takeManyConnections(app: FastifyInstance, sockets = SOCKETS): void {
  const reusePort = sockets > 1;
  const others = Array.from({ length: sockets - 1 }, () =>
    createServer(LIKE_HTTP, (socket) => app.server.emit('connection', socket)),
  );
  let ended: Promise<unknown> = Promise.resolve();
  app.decorate('listenOn', async ({ host, port }: { host: string; port: number }) => {
    if (reusePort && port !== 0) await assertFree(host, port);
    const at = { host, port, reusePort };
    const bound = Number(new URL(await app.listen(at)).port);
    await Promise.all(others.map((server) => once(server.listen({ ...at, port: bound }), 'listening')));
    return bound;
  });
  app.addHook('preClose', async () => {
    ended = Promise.all(others.filter(({ listening }) => listening).map((server) => once(server.close(), 'close')));
  });
  app.addHook('onClose', async () => void (await ended));
}

/** Sockets that share a port let another process of the same user share it too. One that shares nothing is refused. */
async function assertFree(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  await once(server.close(), 'close');
}
