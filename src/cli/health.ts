import { get } from 'node:http';
import { Command } from 'commander';
import { loadCommandConfig } from '../config/load-config.ts';
import { serverOf } from './server-of.ts';

const TIMEOUT_MS = 3_000;

/** `paytag health`: exits with 0 when the server on this machine is ready, else with 1. For a container's health check. */
export const healthCommand = (): Command =>
  new Command('health').description('ask the server on this machine whether it is ready').action(async () => {
    const server = await serverOf(await loadCommandConfig());
    const url = `${server.url}/health/ready`;
    const status = await statusOf(url).catch(() => undefined);
    console.log(status === 200 ? 'ready' : `not ready: ${url} answered ${status ?? 'nothing'}`);
    process.exitCode = status === 200 ? 0 : 1;
  });

/** By Node's own client, which is loaded in no time: a container runs this every few seconds. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.on('error', reject);
  });
