import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { randomId } from '#lib/random.ts';

const CONNECT_TIMEOUT_MS = 1_000;
const shape = z.object({
  url: z.url(),
  /** Only where the operator API has its own port. */
  operatorUrl: z.url().optional(),
  pid: z.number().int().positive(),
});

/** A server that runs on an embedded database. */
export type RunningServer = z.output<typeof shape>;

const fileIn = (dataDir: string): string => join(dataDir, 'server.json');

/**
 * Writes the addresses of this server and of its operator API to `server.json` in its data folder, for commands on this machine. The
 * returned function removes the file.
 *
 * @param host of the configuration; a wildcard address is written as 127.0.0.1
 */
export async function announceServer(
  dataDir: string,
  host: string,
  { port, operatorPort }: { port: number; operatorPort: number | undefined },
): Promise<() => Promise<void>> {
  const file = fileIn(dataDir);
  const draft = `${file}.${randomId()}`;
  const urlAt = (at: number) => `http://${reachable(host)}:${at}`;
  const running: RunningServer = {
    url: urlAt(port),
    ...(operatorPort !== undefined && { operatorUrl: urlAt(operatorPort) }),
    pid: process.pid,
  };
  await writeFile(draft, `${JSON.stringify(running, null, 2)}\n`);
  await rename(draft, file);
  return () => rm(file, { force: true });
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The server that runs on the data under `dataDir` now. The file of one that was killed does not count. */
export async function runningServer(dataDir: string): Promise<RunningServer | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => '');
  const { data: running } = shape.safeParse(text === '' ? undefined : parsedOrNothing(text));
  if (running === undefined || !isAlive(running.pid)) return undefined;
  return (await accepts(new URL(running.url))) ? running : undefined;
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process listens there: the pid of a killed server may belong to another process. */
const accepts = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
