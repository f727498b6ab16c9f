import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the guide recommends in front of a server (src/docs/incidents.md), but for TLS. */
const configFor = (port: number, serverPort: number) => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout queue 200ms
  option abortonclose
  http-reuse always
frontend in
  bind 127.0.0.1:${port}
  default_backend paytag
backend paytag
  server one 127.0.0.1:${serverPort} maxconn 300
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  return port;
}

/** Starts HAProxy (Debian: haproxy), which keeps its connections to the server alive. */
export async function startHaproxy(serverPort: number): Promise<{ port: number; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-haproxy-'));
  const port = await freePort();
  await writeFile(join(folder, 'haproxy.cfg'), configFor(port, serverPort));
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await Promise.race([
    once(child, 'spawn'),
    once(child, 'exit').then(() => Promise.reject(new Error('HAProxy did not start'))),
  ]);
  return {
    port,
    async stop() {
      child.kill();
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}
