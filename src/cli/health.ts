import { Command } from 'commander';
import { request } from 'undici';
import { loadConfig } from '../config/load-config.ts';

const TIMEOUT_MS = 3_000;

/** `paytag health`: exits with 0 when the server on this machine is ready, else with 1. For a container's health check. */
export const healthCommand = (): Command =>
  new Command('health').description('ask the server on this machine whether it is ready').action(async () => {
    const { port } = await loadConfig();
    const url = `http://127.0.0.1:${port}/health/ready`;
    const answer = await request(url, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS }).catch(() => undefined);
    console.log(answer?.statusCode === 200 ? 'ready' : `not ready: ${url} answered ${answer?.statusCode ?? 'nothing'}`);
    process.exitCode = answer?.statusCode === 200 ? 0 : 1;
  });
