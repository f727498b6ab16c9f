import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { zumaEnv } from '../../support/brand/brand.ts';
import { liveEnv } from '../../support/variables.ts';

const server = useApp(zumaEnv);
const live = useApp({ ...liveEnv, OPERATOR_PORT: '9465' });
/** As Chromium sends it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const asked = async (
  path: string,
  { method = 'GET', accept = BROWSER }: { method?: 'GET' | 'POST'; accept?: string } = {},
) => (await server.app.appAt(path)).inject({ method, url: path, headers: { accept } });
const titleOf = (body: string) => /<h1>(.*?)<\/h1>/.exec(body)?.[1];

describe('a browser', () => {
  it.each([
    ['GET', '/nothing', 404, 'There is no such page'],
    ['GET', '/nothing/at/all?x=<script>', 404, 'There is no such page'],
    ['GET', '/docs/nothing', 404, 'There is no such page'],
    ['GET', '/docs/reference/nothing', 400, 'We could not read that'],
    ['GET', '/p', 404, 'There is no such page'],
    ['GET', '/statements', 404, 'There is no such page'],
    ['GET', '/%zz', 400, 'We could not read that'],
    ['POST', '/', 405, 'This page takes nothing that is sent to it'],
    ['POST', '/p/ada', 405, 'This page takes nothing that is sent to it'],
  ] as const)('%s %s reads a page, with status %i', async (method, path, status, title) => {
    const answer = await asked(path, { method });
    expect([answer.statusCode, titleOf(answer.body)]).toEqual([status, title]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-request-id': expect.any(String),
      vary: expect.stringContaining('accept'),
    });
    expect(answer.body).toContain('alt="Zuma');
    expect(answer.body).not.toContain('<script');
    expect(answer.headers.allow).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
  });

  it('reads by what we find in our log that the server does not answer, and how long to wait', async () => {
    const answer = await live.app.inject({ url: '/', headers: { accept: BROWSER, 'x-forwarded-for': '192.0.2.7' } });
    expect([answer.statusCode, titleOf(answer.body)]).toEqual([503, 'One moment, please']);
    expect(answer.headers['retry-after']).toBe('60');
    expect(answer.body).toContain(String(answer.headers['x-request-id']));
  });
});

describe('JSON', () => {
  it.each([
    '/v2/nothing',
    '/api',
    '/api/v1/nothing',
    '/operator/v1/nothing',
    '/.well-known/nothing',
    '/health/nothing',
  ])('is what %s answers, whoever asks', async (path) => {
    const answer = await asked(path);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ success: false, errorCode: 'ROUTE_NOT_FOUND' });
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/avif,*/*;q=0.8'])(
    'is what an unknown path answers to who accepts %s',
    async (accept) => {
      const answer = await asked('/nothing', { accept });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ success: false, errorCode: 'ROUTE_NOT_FOUND' });
    },
  );
});
