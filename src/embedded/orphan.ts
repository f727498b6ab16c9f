import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import type { Identity } from './identity.ts';
import { asIdentity, SUPERVISOR_MARK } from './supervisor.ts';

const run = promisify(execFile);
const WAIT_MS = 5_000;
/** It ends its sessions and writes all it has to the disk. */
const STOP_MAX_MS = 60_000;
const POLL_MS = 50;

/**
 * Sees to it that no PostgreSQL runs on `data`. One that is ending, because its process died, is waited for; one that
 * nobody keeps any more is stopped; one that a living process uses is left alone.
 *
 * @param given.waitMs how long one is waited for that may be about to end
 * @throws Error when a living process uses `data`
 */
export async function endOrphan(
  data: string,
  bin: Binaries,
  identity: Identity,
  { waitMs = WAIT_MS } = {},
): Promise<void> {
  const start = Date.now();
  for (;;) {
    const pid = await postmasterOf(data);
    if (pid === undefined) return;
    if (!(await isKept(pid))) await end(data, bin, identity);
    if (Date.now() - start > ((await isStopping(data)) ? STOP_MAX_MS : waitMs)) break;
    await sleep(POLL_MS);
  }
  throw new Error(`another running server uses the embedded database under ${dirname(dirname(data))}: stop it first`);
}

/** PostgreSQL writes to the eighth line of postmaster.pid what it is about. */
async function isStopping(data: string): Promise<boolean> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[7]?.trim() === 'stopping';
}

async function end(data: string, bin: Binaries, identity: Identity): Promise<void> {
  const words = [bin.pg_ctl, 'stop', '-D', data, '--mode=fast', '--wait', '--timeout=60'];
  const { command, args, options } = asIdentity(identity, words);
  await run(command, args, options).catch(() => undefined); // it ended by itself meanwhile, or the next look finds it
}

/** The living PostgreSQL of `data`. A stale postmaster.pid, which PostgreSQL clears away by itself, names none. */
async function postmasterOf(data: string): Promise<number | undefined> {
  const [first = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(first);
  if (!(pid > 0)) return undefined;
  if (process.platform !== 'linux') return isAlive(pid) ? pid : undefined;
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  const exe = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return cwd === (await realpath(data)) && exe.endsWith('/postgres') ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** True while the shell that started it lives; where there is no /proc to ask, it is taken to. */
async function isKept(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const parent = stat.replace(/.*\) /s, '').split(' ')[1];
  const command = await readFile(`/proc/${parent}/cmdline`, 'utf8').catch(() => '');
  return command.includes(SUPERVISOR_MARK);
}
