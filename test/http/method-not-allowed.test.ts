import type { HTTPMethods } from 'fastify';
import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { documentUrls, readDocument } from '../support/described.ts';

const server = useSharedApp();
const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const satisfies HTTPMethods[];
const failure = (message: unknown) => ({
  success: false,
  message,
  errorCode: 'METHOD_NOT_ALLOWED',
  errors: [message],
  timestamp: expect.any(String),
  requestId: expect.any(String),
});

describe.each(documentUrls)('every path of %s', (documentUrl) => {
  it('answers the methods that it does not have with 405, and names those that it has', async () => {
    const templates = Object.keys((await readDocument(server, documentUrl)).paths);
    const app = await server.app.appAt(documentUrl);
    /** Also by a template with a parameter in that place. */
    const methodsAt = (path: string) => {
      const matching = templates.filter((one) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
      const routes = matching.map((one) => one.replaceAll(/\{(\w+)\}/g, ':$1'));
      return METHODS.filter((method) => routes.some((url) => app.hasRoute({ method, url })));
    };
    let refused = 0;
    for (const template of templates) {
      const url = template.replaceAll(/\{\w+\}/g, 'something');
      const has = methodsAt(url);
      expect(has.length).toBeGreaterThan(0);
      for (const method of METHODS.filter((one) => !has.some((other) => other === one))) {
        const answer = await app.inject({ method, url: `${url}?a=b` });
        expect([template, method, answer.statusCode]).toEqual([template, method, 405]);
        expect([template, answer.headers.allow]).toEqual([template, has.join(', ')]);
        const body = failure(expect.stringContaining(has.join(', ')));
        const shape = documentUrl.startsWith('/api') ? { ...body, data: null } : body;
        expect(method === 'HEAD' ? answer.body : answer.json()).toEqual(method === 'HEAD' ? '' : shape);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

describe('a path with parameters', () => {
  it.each([
    ['/v2/sso/wallet/otp', 'PUT', 'GET, POST'],
    ['/v2/sso/create-tag/otp', 'DELETE', 'GET, POST'],
    ['/v2/sso/', 'POST', 'GET'],
    ['/v2/partner/wallet/PW-1/', 'PUT', 'GET'],
    ['/api/v1/transactions/pending', 'POST', 'GET'],
    ['/api/v1/tags/ada%40paytag', 'PUT', 'DELETE, GET'],
    ['/health/live', 'HEAD', 'GET'],
  ] as const)('%s has for %s: %s', async (url, method, allow) => {
    const answer = await server.app.inject({ method, url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
  });

  it.each([
    ['GET', '/v2/sso/a/b/otp'],
    ['OPTIONS', '/v2/nothing'],
    ['POST', '/nothing'],
    ['PUT', '/v2/partner/wallet/PW-1/nothing'],
  ] as const)('%s %s is unknown still: 404 without Allow', async (method, url) => {
    const answer = await server.app.inject({ method, url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([404, undefined]);
    expect(answer.json()).toMatchObject({ errorCode: 'ROUTE_NOT_FOUND' });
  });
});
