import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { binaries } from './binaries.ts';
import { openCluster } from './cluster.ts';
import { endOrphan } from './orphan.ts';
import { freePort, isFree } from './port.ts';
import { supervise } from './supervisor.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 5;
/** Between finding a port free and PostgreSQL's listening on it, somebody else may take it. */
const PORTS_MAX = 5;

/** A statement that fails is logged without the values in it: they may be somebody's. */
const QUIET = { log_error_verbosity: 'terse', log_min_error_statement: 'panic' };

export interface Embedded {
  /** Connection string of one database of this server, as its superuser. */
  url: (database: string) => string;
  /** Ends the server after the sessions it has (fast shutdown), and waits for that. */
  stop: () => Promise<void>;
  readonly child: ChildProcess;
}

/**
 * Starts a real PostgreSQL of our own on a free port of 127.0.0.1, its files under `root`, made at the first start.
 * It ends with this process, however this process ends, and what was committed is there at the next start.
 *
 * @param settings PostgreSQL parameters, as in postgresql.conf
 * @param findPort where it may listen; asked again when somebody else was quicker
 * @throws Error with what to do next, when it cannot start or another process uses `root`
 */
export async function startEmbedded(
  root: string,
  settings: Record<string, string> = {},
  findPort: () => Promise<number> = freePort,
): Promise<Embedded> {
  const home = resolve(root);
  await mkdir(home, { recursive: true });
  const bin = await binaries();
  const { data, password, identity } = await openCluster(home, bin);
  await endOrphan(data, bin, identity);

  const flags = Object.entries({ ...QUIET, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = join(home, 'postgres.log');
  for (let tried = 1; ; tried += 1) {
    const port = await findPort();
    const command = [bin.postgres, '-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', ...flags];
    const server = await supervise(command, identity, log);
    try {
      await ready(data, port, server.child, log);
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

/** PostgreSQL writes its port and its state to lines 4 and 8 of postmaster.pid. */
async function ready(data: string, port: number, child: ChildProcess, log: string): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < until) {
    const status = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
    const lines = status.split('\n');
    if (lines[3] === String(port) && lines[7]?.startsWith('ready')) return;
    await sleep(POLL_MS);
  }
  throw new Error(`the embedded PostgreSQL did not start: the end of ${log} says why`);
}
