import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { isFree } from '../../src/embedded/port.ts';
import { newDatabaseFolder } from './database.ts';
import { eventually, eventuallyTrue } from './eventually.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const HEALTH_TIMEOUT_MS = 10_000;
/** Where one process leaves what Node compiled of our modules, so that the next one starts in half the time. */
export const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

export const OPERATOR_TOKEN = 'op_sandbox_of_the_tests_0123456789abcdefghijklm';
export const MASTER_KEY = '7e'.repeat(32);

/** What `npm start` and the image give Node, to take less memory. */
export const AS_STARTED = { flags: ['--max-semi-space-size=8'], env: { MALLOC_ARENA_MAX: '2' } };

/** The environment of a sandbox server on `databaseUrl`, fit for tests: quick retries, webhooks to this machine. */
export const serverEnv = (databaseUrl: string): Record<string, string> => ({
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: databaseUrl,
  OPERATOR_TOKEN,
  MASTER_KEY,
  HOST: '127.0.0.1',
  SHUTDOWN_DELAY_S: '0',
  REQUESTS_RUNNING_MAX: '10000', // tests send hundreds at once, on a machine that is busy with others
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  WEBHOOK_BACKOFF_BASE_MS: '50',
  WEBHOOK_TIMEOUT_MS: '30000',
});

/** A process of the real server. */
export interface ServerProcess {
  /** Origin, as http://127.0.0.1:PORT. */
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** What it wrote so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves to the exit code once it has ended by itself, or null when a signal ended it. */
  readonly end: Promise<number | null>;
  /** Sends a signal, and waits for the end. Resolves to the exit code, or null when the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** SIGTERM; a process that has ended already is left as it is. */
  stop(): Promise<number | null>;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the server (`src/server.ts`) as its own process and waits until it says that it is ready. It gets `env` and nothing of ours
 * but PATH and a cache of compiled modules; without DATA_DIR its embedded files, if it makes any, go to a temporary folder
 * that goes with it. `program` is a file that starts it in another way, and `flags` are Node's.
 *
 * @throws Error with what it wrote, when it ends instead
 */
export async function startServer(
  env: Record<string, string>,
  given: { port?: number; program?: string; flags?: readonly string[] } = {},
): Promise<ServerProcess> {
  const port = given.port ?? (await ownPort());
  const run = await launch([...(given.flags ?? []), given.program ?? 'src/server.ts'], { ...env, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    if (run.hasEnded()) return;
    const { statusCode, body } = await request(`${url}/health/ready`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`/health/ready answers ${statusCode}`);
  };
  try {
    await eventuallyTrue(async () => run.hasEnded() || (await isListening(port))); // a request that fails costs ten times this
    await eventually(isReady);
    if (run.hasEnded()) throw new Error('the server ended instead of getting ready');
  } catch (cause) {
    run.child.kill('SIGKILL');
    const { code, stdout, stderr } = await run.result;
    throw new Error(`the server did not get ready (exit code ${code})\n${stdout}\n${stderr}`, { cause });
  }
  const kill = async (signal: NodeJS.Signals) => {
    if (!run.hasEnded()) run.child.kill(signal);
    return (await run.result).code;
  };
  return {
    url,
    port,
    child: run.child,
    get stdout() {
      return run.written.stdout;
    },
    get stderr() {
      return run.written.stderr;
    },
    end: run.result.then(({ code }) => code),
    kill,
    stop: () => kill('SIGTERM'),
  };
}

/** Starts a program of the project that runs until it is stopped. */
export async function startProgram(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ readonly stdout: string; kill(signal: NodeJS.Signals): Promise<RunResult> }> {
  const run = await launch(args, env);
  return {
    get stdout() {
      return run.written.stdout;
    },
    async kill(signal) {
      run.child.kill(signal);
      return run.result;
    },
  };
}

/** Runs a program of the project (`src/server.ts`, `src/cli/paytag.js`, with its arguments) to its end. */
export async function runToEnd(args: readonly string[], env: Record<string, string>): Promise<RunResult> {
  return await (await launch(args, env)).result;
}

async function launch(args: readonly string[], env: Record<string, string>) {
  const home = await newDatabaseFolder('paytag-test-server-');
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE, DATA_DIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (written.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (written.stderr += part));
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const result = once(child, 'close').then(async (): Promise<RunResult> => {
    process.off('exit', killWithUs);
    await rm(home, { recursive: true, force: true });
    return { code: child.exitCode, ...written };
  });
  return { child, written, result, hasEnded: () => child.exitCode !== null || child.signalCode !== null };
}

/** Below what systems give out themselves (Linux: from 32768 on), so that nobody is given one that waits for its owner. */
const FIRST = 20_000;
/** Each worker of the run has so many to itself. */
const COUNT = 1_000;
const WORKERS = 12;
const first = FIRST + COUNT * (Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS);
let next = randomInt(COUNT);

/**
 * A port of 127.0.0.1 for a process to listen on: nobody listens on it, and until the process does nobody else comes to
 * it by chance. This worker is given another each time.
 */
export async function ownPort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried += 1) {
    const port = first + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`all ports from ${first} to ${first + COUNT - 1} are taken`);
}

/** Whether somebody listens on a port of 127.0.0.1. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
