import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Runs the audit against a registry that knows of these advisories, or answers nothing at all. */
async function auditWith(advisories: object | undefined) {
  const registry = createServer((request, response) => {
    const isAsked = request.url?.startsWith('/-/npm/v1/security/advisories/bulk') === true && advisories !== undefined;
    response.writeHead(isAsked ? 200 : 405, { 'content-type': 'application/json' });
    request.resume().on('end', () => response.end(JSON.stringify(isAsked ? advisories : {})));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const cache = await mkdtemp(join(tmpdir(), 'paytag-test-audit-'));
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}`, npm_config_cache: cache };
  try {
    const { stdout, stderr } = await run(process.execPath, ['.ci/audit.mjs'], { env });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  } finally {
    registry.close();
    await rm(cache, { recursive: true, force: true });
  }
}

const advisory = (severity: string) => ({
  fastify: [
    {
      id: 1,
      url: 'https://advisories.example/1',
      title: 'It opens',
      severity,
      vulnerable_versions: '>=0.0.0',
      cwe: [],
    },
  ],
});

it('V15.2.1: a known vulnerability of severity high in what we ship fails the check, and is named', async () => {
  const { code, stderr } = await auditWith(advisory('high'));
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('audit: fastify: high: It opens (https://advisories.example/1)'),
  ]);
});

it('V15.2.1: a lesser one is counted, and a registry that does not answer is said and fails nothing', async () => {
  expect(await auditWith(advisory('low'))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/[1-9]\d* known.*, 0 of them high/),
  });
  expect(await auditWith(undefined)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('the registry could not be asked, so nothing is known'),
  });
});
