import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { loadCommandConfig } from '../config/load-config.ts';
import { serverOf } from './server-of.ts';
import { parseWith } from './terminal.ts';

const TIMEOUT_MS = 3_000;
/** Checks in a row without any answer, e.g. of a stuck process: two minutes of a check every ten seconds. */
const SILENT_MAX = 12;
/** Checks in a row with another answer than 200. Longer, because a restart does not bring back a database. */
const UNREADY_MAX = 60;
/** Checks after SIGTERM until SIGKILL: a graceful shutdown takes forty seconds at most. */
const GRACE_CHECKS = 5;

/** `paytag health`: exits with 0 when the server on this machine is ready, else with 1. For a container's health check. */
export const healthCommand = (): Command =>
  new Command('health')
    .description('ask the server on this machine whether it is ready')
    .option(
      '--end-child-of <pid>',
      'also end a server that has not been ready for long, so that its container restarts; the server’s parent there is 1',
      parseWith(z.coerce.number().int().min(1)),
    )
    .action(async ({ endChildOf }: { endChildOf?: number }) => {
      const server = await serverOf(await loadCommandConfig());
      const url = `${server.url}/health/ready`;
      const status = await statusOf(url);
      console.log(status === 200 ? 'ready' : `not ready: ${url} answered ${status ?? 'nothing'}`);
      process.exitCode = status === 200 ? 0 : 1;
      if (endChildOf === undefined) return;
      const ended = await endUnhealthy(status, { parent: endChildOf, notes: join(tmpdir(), 'paytag-health.json') });
      if (ended !== undefined) console.log(ended);
    });

/** The status of the answer; undefined: no answer. Uses Node's own client, which loads fast: a container runs this every few seconds. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.on('error', () => resolve(undefined));
  });

/** The number of failed checks in a row. */
interface Notes {
  silent: number;
  unready: number;
}

/**
 * Records the result of a check, and ends a server that was unhealthy for too long: by SIGTERM, and by SIGKILL if it does not exit. Compose
 * restarts a container when its process ends, and ignores one that is only unhealthy.
 *
 * @param status what the server answered
 * @returns what was done
 */
export async function endUnhealthy(
  status: number | undefined,
  { parent, notes }: { parent: number; notes: string },
): Promise<string | undefined> {
  const before = await readNotes(notes);
  const silent = status === undefined ? before.silent + 1 : 0;
  const unready = status === 200 ? 0 : before.unready + 1;
  await writeFile(notes, JSON.stringify({ silent, unready } satisfies Notes));
  const over = Math.max(silent - SILENT_MAX, unready - UNREADY_MAX);
  if (over !== 0 && over < GRACE_CHECKS) return undefined;
  const signal = over === 0 ? 'SIGTERM' : 'SIGKILL';
  const pid = await childOf(parent);
  if (pid === undefined) return undefined;
  process.kill(pid, signal);
  return `${signal} to ${pid}: it has not been ready for ${unready} checks in a row`;
}

async function readNotes(file: string): Promise<Notes> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Notes;
  } catch {
    return { silent: 0, unready: 0 };
  }
}

/** The first child of a process on Linux (proc(5)): the server, if the parent is a container's init. */
async function childOf(parent: number): Promise<number | undefined> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.toSorted((a, b) => a - b).map(async (pid) => [pid, await parentOf(pid)] as const),
  );
  return parents.find(([, parentPid]) => parentPid === parent)?.[0];
}

async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, digits] = /^PPid:\s+(\d+)$/m.exec(status) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
