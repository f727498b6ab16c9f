import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Identity } from './identity.ts';

/** By this, the supervisor of a server is known among the processes. */
export const SUPERVISOR_MARK = 'read _ <&3';

/**
 * A shell stands between us and PostgreSQL and holds the other end of a pipe to us. The kernel closes our end when this
 * process dies, by whatever cause, kill -9 too; then the shell asks PostgreSQL for a fast shutdown (SIGINT).
 */
const SUPERVISOR = `"$@" 3<&- & p=$!; (${SUPERVISOR_MARK}; kill -INT $p) & w=$!; wait $p; s=$?; kill $w 2>/dev/null; exit $s`;

/** A command as PostgreSQL's identity runs it, for execFile and spawn. */
export function asIdentity(identity: Identity, words: readonly string[]) {
  const [command = '', ...args] = [...identity.prefix, ...words];
  return { command, args, options: { ...identity.account, cwd: '/' } };
}

/** Runs `words` until `stop` or until this process ends; what it says goes to the end of the file `log`. */
export async function supervise(
  words: readonly string[],
  identity: Identity,
  log: string,
): Promise<{ child: ChildProcess; stop: () => Promise<void> }> {
  const { command, args, options } = asIdentity(identity, ['/bin/sh', '-c', SUPERVISOR, 'sh', ...words]);
  const out = await open(log, 'a', 0o600);
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', out.fd, out.fd, 'pipe'] });
  const ended = once(child, 'exit').then(() => undefined);
  await out.close();
  const pipe = child.stdio[3];
  if (!(pipe instanceof Socket)) throw new Error('a fourth stdio that is a pipe is always a socket');
  pipe.on('error', () => undefined); // the supervisor went first: its exit tells
  pipe.unref();
  child.unref();
  return {
    child,
    stop: async () => {
      child.ref();
      pipe.destroy();
      await ended;
    },
  };
}
