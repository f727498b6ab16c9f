import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Makes `server` listen on 127.0.0.1, on a free port unless one is given, and resolves to the port.
 *
 * @throws Error EADDRINUSE when another process listens on the port already
 */
export async function listenLocally(server: Server, wanted = 0): Promise<number> {
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server listens on a port');
  return address.port;
}

/** A port of 127.0.0.1 that no process listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether no process listens on this port of 127.0.0.1 at this moment. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listenLocally(server, port);
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
