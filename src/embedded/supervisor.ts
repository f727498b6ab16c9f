import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, readlink, realpath } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CannotStart } from '#lib/domain-error.ts';
import { commandAs, type OsUser } from './cluster.ts';

const run = promisify(execFile);

/** How long to wait for a server that may be about to exit, because its process has just died. */
const EXIT_WAIT_MS = 5_000;
/** How long a server may take to shut down: it ends its sessions and writes everything to the disk. */
const STOP_MAX_MS = 60_000;
const POLL_MS = 50;

/** Part of the supervisor's command line, by which it is recognised among the processes. */
const SUPERVISOR_MARK = 'read _ <&3';

/**
 * A shell between this process and PostgreSQL, which reads from a pipe whose other end we hold. The kernel closes our end
 * when this process dies, for whatever reason, SIGKILL included; then the shell asks PostgreSQL for a fast shutdown (SIGINT).
 */
const SUPERVISOR = `"$@" 3<&- & p=$!; (${SUPERVISOR_MARK}; kill -INT $p) & w=$!; wait $p; s=$?; kill $w 2>/dev/null; exit $s`;

/** Runs `words` under a supervisor until `stop` is called or this process ends. Its output is appended to the file `log`. */
export async function supervise(
  words: readonly string[],
  user: OsUser,
  log: string,
): Promise<{ child: ChildProcess; stop: () => Promise<void> }> {
  const { command, args, options } = commandAs(user, ['/bin/sh', '-c', SUPERVISOR, 'sh', ...words]);
  const out = await open(log, 'a', 0o600);
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', out.fd, out.fd, 'pipe'] });
  const exited = once(child, 'exit').then(() => undefined);
  await out.close();
  const pipe = child.stdio[3];
  if (!(pipe instanceof Socket)) throw new Error('a fourth stdio that is a pipe is always a socket');
  pipe.on('error', () => undefined); // the supervisor exited first, which `exited` reports
  pipe.unref();
  child.unref();
  return {
    child,
    stop: async () => {
      child.ref();
      pipe.destroy();
      await exited;
    },
  };
}

/**
 * Makes sure that no PostgreSQL runs on `data`. Stops an orphan, which has no supervisor; waits for one that shuts down because its
 * process died; does not touch one that a living process uses.
 *
 * @param waitMs how long to wait for one that may be about to shut down
 * @throws Error when a living process uses `data`
 */
export async function stopOrphan(
  data: string,
  pgCtl: string,
  user: OsUser,
  { waitMs = EXIT_WAIT_MS } = {},
): Promise<void> {
  const start = Date.now();
  for (;;) {
    const server = await runningServer(data);
    if (server === undefined) return;
    const isOrphan = !(await isSupervised(server.pid));
    const isEnding = isOrphan || server.status === 'stopping';
    if (Date.now() - start > (isEnding ? STOP_MAX_MS : waitMs)) break;
    if (isOrphan) await stopServer(data, pgCtl, user);
    await sleep(POLL_MS);
  }
  throw new CannotStart(
    `another running server uses the embedded database under ${dirname(dirname(data))}: stop it first`,
  );
}

async function stopServer(data: string, pgCtl: string, user: OsUser): Promise<void> {
  const words = [pgCtl, 'stop', '-D', data, '--mode=fast', '--wait', '--timeout=60'];
  const { command, args, options } = commandAs(user, words);
  await run(command, args, options).catch(() => undefined); // it has exited meanwhile, or the caller finds it once more
}

/** The `postmaster.pid` of the PostgreSQL that runs on `data`. A killed server's file does not count. */
async function runningServer(data: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(data);
  const pid = file?.pid ?? 0;
  if (!(pid > 0)) return undefined;
  if (process.platform !== 'linux') return isAlive(pid) ? file : undefined;
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  const exe = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return cwd === (await realpath(data)) && exe.endsWith('/postgres') ? file : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether its parent is a supervisor. Always true where there is no /proc to look it up in. */
async function isSupervised(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const parent = stat.slice(stat.lastIndexOf(')')).split(' ')[2];
  const command = await readFile(`/proc/${parent}/cmdline`, 'utf8').catch(() => '');
  return command.includes(SUPERVISOR_MARK);
}

/** The contents of a PostgreSQL server's `postmaster.pid`. A part that is not written yet is 0 or empty. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** `starting`, `ready`, `standby` or `stopping`. */
  readonly status: string;
}

/**
 * Reads `postmaster.pid` in the data directory `data`; undefined when there is none. A server that was killed leaves its
 * file behind, and the next one replaces it.
 *
 * @see https://www.postgresql.org/docs/18/storage-file-layout.html and `pidfile.h` for the lines: 1, 4 and 8
 */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
}
