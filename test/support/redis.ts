import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { supervise } from '../../src/embedded/supervisor.ts';
import { eventually } from './eventually.ts';
import { ownPort } from './process.ts';

/** A real Redis of one test file. It keeps nothing on disk: what was in it is gone when it stops. */
export interface TestRedis {
  readonly url: string;
  /** Ends it, and with it all that was in it. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** stop and start. */
  restart(): Promise<void>;
}

/** A private Redis for this test file, running from before its first test until after its last. */
export function useRedis(): TestRedis {
  let port = 0;
  let server: Awaited<ReturnType<typeof startRedis>> | undefined;
  const redis: TestRedis = {
    get url() {
      return `redis://127.0.0.1:${port}`;
    },
    async start() {
      server ??= await startRedis(inject('redisServer'), port);
    },
    async stop() {
      await server?.end();
      server = undefined;
    },
    async restart() {
      await redis.stop();
      await redis.start();
    },
  };
  beforeAll(async () => {
    port = await ownPort();
    await redis.start();
  });
  afterAll(() => redis.stop());
  return redis;
}

const ANSWER_TIMEOUT_MS = 10_000;

/** Redis runs as whoever runs the tests. */
const ourselves = { name: 'ourselves', prefix: [] };

/** Runs `binary`, a redis-server that keeps nothing on disk, on a port of 127.0.0.1. */
export async function startRedis(binary: string, port: number): Promise<{ end(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-redis-'));
  const listen = ['--bind', '127.0.0.1', '--port', String(port)];
  const memoryOnly = ['--save', '', '--appendonly', 'no', '--dir', folder];
  const command = [binary, ...listen, ...memoryOnly, '--maxmemory-policy', 'noeviction'];
  const server = await supervise(command, ourselves, join(folder, 'redis.log'));
  await eventually(() => answers(server.child, port));
  return {
    async end() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Says PING and hears PONG, in the protocol itself, so that no client library stands between. */
async function answers(child: ChildProcess, port: number): Promise<void> {
  if (child.exitCode !== null) throw new Error(`redis-server ended with code ${child.exitCode}`);
  const socket = connect(port, '127.0.0.1');
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    await once(socket, 'connect', { signal });
    socket.write('PING\r\n');
    const answer = String(await once(socket, 'data', { signal }));
    if (!answer.startsWith('+PONG')) throw new Error(`redis-server said ${answer}`);
  } finally {
    socket.destroy();
  }
}
