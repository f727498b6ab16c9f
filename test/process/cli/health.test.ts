import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endUnhealthy } from '../../../src/cli/health.ts';

/** As an init in a container: it begins one process, says which, and ends with it. */
const INIT = `
const child = require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('exit', (code, signal) => { console.log('ended by ' + (signal ?? code)); });`;
const IN_GOOD_ORDER = `process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('runs');`;
const STUCK = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('runs');`;

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'paytag-health-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function container(program: string) {
  const init = spawn(process.execPath, ['-e', INIT, program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(init.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('runs');
  const notes = join(folder, `${init.pid}.json`);
  const check = (status: number | undefined) => endUnhealthy(status, { parent: init.pid ?? 0, notes });
  return { init, lines, check };
}

it('a server that answers nothing for two minutes of checks is told to end, once', async () => {
  const { init, lines, check } = await container(IN_GOOD_ORDER);
  for (let n = 0; n < 11; n++) expect(await check(undefined)).toBeUndefined();
  expect(await check(200)).toBeUndefined(); // an answer begins the count anew
  for (let n = 0; n < 11; n++) expect(await check(undefined)).toBeUndefined();
  expect(await check(undefined)).toMatch(/^SIGTERM to \d+: /);
  expect((await lines.next()).value).toBe('ended by 0');
  await once(init, 'close');
});

it('one that does not end by itself is killed after its time to end', async () => {
  const { init, lines, check } = await container(STUCK);
  for (let n = 0; n < 11; n++) await check(undefined);
  expect(await check(undefined)).toContain('SIGTERM');
  for (let n = 0; n < 4; n++) expect(await check(undefined)).toBeUndefined();
  expect(await check(undefined)).toContain('SIGKILL');
  expect((await lines.next()).value).toBe('ended by SIGKILL');
  await once(init, 'close');
});

it('one that says that it is not ready has ten minutes, for a database that is away', async () => {
  const { init, lines, check } = await container(IN_GOOD_ORDER);
  for (let n = 0; n < 59; n++) expect(await check(503)).toBeUndefined();
  expect(await check(503)).toContain('SIGTERM');
  expect((await lines.next()).value).toBe('ended by 0');
  await once(init, 'close');
});
