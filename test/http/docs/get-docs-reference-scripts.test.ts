import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();

it('200: Scalar, compressed, and the few lines that start it', async () => {
  const scalar = await server.call('GET', '/docs/reference/scripts/scalar.js');
  expect(scalar.statusCode).toBe(200);
  expect(scalar.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
  });
  expect(gunzipSync(scalar.rawPayload).toString()).toContain('createApiReference');
  const start = await server.call('GET', '/docs/reference/scripts/start.js');
  expect(start.statusCode).toBe(200);
  expect(start.body).toContain('Scalar.createApiReference');
});

it('400 for another script', async () => {
  expect((await server.call('GET', '/docs/reference/scripts/other.js')).statusCode).toBe(400);
});
