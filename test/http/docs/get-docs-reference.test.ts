import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();

it.each([
  ['partner', '/v2/openapi.json'],
  ['switch', '/api/openapi.json'],
])('200: the reference of %s is drawn from its own document, by scripts of ours alone', async (api, document) => {
  const answer = await server.call('GET', `/docs/reference/${api}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain(`data-document="${document}"`);
  expect((await server.call('GET', document)).statusCode).toBe(200);
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'; ");
  for (const [, script] of answer.body.matchAll(/src="([^"]+)"/g))
    expect(script).toMatch(/^\/docs\/reference\/scripts\//);
});

it('400 for an API that has no reference', async () => {
  const answer = await server.call('GET', '/docs/reference/operator');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ errors: [expect.stringContaining('api')] });
});
