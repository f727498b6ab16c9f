import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../src/embedded/port.ts';

/** A server that is not PayTag. */
export interface Baseline {
  readonly port: number;
  stop(): Promise<unknown>;
}

/** Starts a baseline server, whose last argument is its port, in a process of its own. */
export async function startBaseline(program: string, ...args: string[]): Promise<Baseline> {
  const port = await freePort();
  const child = spawn(process.execPath, [program, ...args, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { port, stop };
}

const ONE_READ = fileURLToPath(new URL('one-read-server.ts', import.meta.url));

/** Bare Fastify routes with one prepared read each, pipelined. */
export const startOneRead = (databaseUrl: string): Promise<Baseline> => startBaseline(ONE_READ, databaseUrl);
