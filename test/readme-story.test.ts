import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, type Method } from './support/client.ts';
import type { ServerProcess } from './support/process.ts';
import { startSandbox } from './support/sandbox.ts';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');
const story = readme.split('\n## The story\n')[1]?.split('\n## ')[0] ?? '';
const script = [...story.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');

let folder: string;
let server: ServerProcess;
let call: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-readme-'));
  server = await startSandbox(join(folder, '.data'));
  call = clientOf(server.url);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('its blocks run as they stand, one after another, in the folder of a sandbox', async () => {
  expect(script.match(/PAYTAG=http:\/\/localhost:3000$/m)).not.toBeNull();
  const here = script.replace('http://localhost:3000', server.url);
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout).not.toContain('"success":false');
  expect(stdout.trimEnd().split('\n').at(-1)).toContain('"ok":true');
  expect((await readdir(folder)).toSorted()).toEqual(['.data', 'paytag.png', 'statement.pdf']);
  expect((await readFile(join(folder, 'statement.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await readFile(join(folder, 'paytag.png'))).subarray(1, 4).toString()).toBe('PNG');
});

it('and what else the README names as an operation or an address of the server is there', async () => {
  const operations = [...readme.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s]+)`/g)];
  const addresses = [...readme.matchAll(/`(\/[^`\s]+\.json)`/g)].map(([, path]) => ['', 'GET', path] as const);
  expect(Math.min(operations.length, addresses.length)).toBeGreaterThan(1);
  const missing: string[] = [];
  for (const [, method, path = ''] of [...operations, ...addresses]) {
    const url = path.replace(/^\/v1\//, '/api/v1/').replaceAll(/\{\w+\}/g, 'x');
    const { body } = await call(method as Method, url);
    if (body['errorCode'] === 'ROUTE_NOT_FOUND') missing.push(`${method} ${path}`);
  }
  expect(missing).toEqual([]);
});
