import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { AcceptQueue } from './accept-queue.ts';

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
const SOCKETS = process.platform === 'linux' && process.channel === undefined ? 64 : 1;

/** What Node's own HTTP server takes connections with. */
const LIKE_HTTP = { noDelay: true, allowHalfOpen: true };

/**
 * Lets a server take many connections at once.
 *
 * In each turn of the event loop Node takes one connection from a listening socket, and the turns of a busy process take tens of
 * milliseconds. With one socket, more callers came than were taken, health checks among them, and each had hung up before its
 * turn came. The server closes when the connections of all of its sockets have ended.
 */
export function takeManyConnections(app: FastifyInstance, acceptQueue: AcceptQueue, sockets = SOCKETS): void {
  const { server } = app;
  const reusePort = sockets > 1;
  let isOthers = false;
  // Of one socket alone nothing can be told: to take one connection in each turn is what it can do.
  if (sockets > 1)
    server.prependListener('connection', (connection: Socket) => {
      if (!isOthers) acceptQueue.takes(connection, server);
    });
  const others = Array.from({ length: sockets - 1 }, () => {
    const other = createServer(LIKE_HTTP, (connection) => {
      acceptQueue.takes(connection, other);
      isOthers = true;
      server.emit('connection', connection);
      isOthers = false;
    });
    return other;
  });
  let claim: Server | undefined;
  let othersListen: Promise<unknown> = Promise.resolve();
  let isClosing = false;

  app.decorate('listenOn', async ({ host, port }: { host: string; port: number }) => {
    if (reusePort && port !== 0) claim = await claimFree(host, port);
    const shared = { host, reusePort };
    await app.listen({ ...shared, port });
    const bound = portOf(server);
    if (isClosing) return bound;
    othersListen = Promise.all(others.map((other) => once(other.listen({ ...shared, port: bound }), 'listening')));
    await othersListen;
    return bound;
  });

  app.addHook('preClose', async () => {
    isClosing = true;
    await othersListen.catch(() => {}); // whoever called listenOn was told
  });
  app.addHook('onClose', () => void claim?.close());
  const closeFirst = promisify(server.close.bind(server));
  const closeOthers = () => others.filter(({ listening }) => listening).map((other) => once(other.close(), 'close'));
  server.close = (closed) => {
    claim?.close();
    void Promise.all([closeFirst(), ...closeOthers()]).then(() => closed?.(), closed);
    return server;
  };
}

function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}

/**
 * Sockets that share a port let another process of the same user share it too. One that shares nothing is refused. Of two servers that
 * begin at the same moment, both would find the port free: only one gets a name that stands for it (unix(7), abstract sockets).
 *
 * @returns what holds the name, which nobody connects to; undefined where the system gives none
 */
async function claimFree(host: string, port: number): Promise<Server | undefined> {
  const claim = createServer((socket) => socket.destroy()).unref();
  try {
    await once(claim.listen({ path: `\0paytag listens on ${host} ${port}` }), 'listening');
  } catch (cause) {
    const message = `listen EADDRINUSE: address already in use ${host}:${port}`;
    const isTaken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'; // else the system gives no such names
    if (isTaken) throw Object.assign(new Error(message, { cause }), { code: 'EADDRINUSE' });
  }
  try {
    const alone = createServer().listen({ host, port });
    await once(alone, 'listening');
    await once(alone.close(), 'close');
    return claim.listening ? claim : undefined;
  } catch (error) {
    if (claim.listening) claim.close();
    throw error;
  }
}
