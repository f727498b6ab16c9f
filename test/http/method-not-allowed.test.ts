import type { HTTPMethods } from 'fastify';
import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { documentUrls, readDocument } from '../support/described.ts';

const server = useSharedApp();
const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const satisfies HTTPMethods[];
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
      const asked = await app.inject({ method: 'OPTIONS', url: `${url}?a=b` });
      expect([template, asked.statusCode, asked.body]).toEqual([template, 204, '']);
      expect([template, asked.headers.allow]).toEqual([template, [...has, 'OPTIONS'].toSorted().join(', ')]);
      for (const method of METHODS.filter((one) => !has.some((other) => other === one))) {
        const answer = await app.inject({ method, url: `${url}?a=b` });
        expect([template, method, answer.statusCode]).toEqual([template, method, 405]);
        const allow = [...has, 'OPTIONS'].toSorted().join(', ');
        expect([template, answer.headers.allow]).toEqual([template, allow]);
        const body = failure(expect.stringContaining(allow));
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
    ['/v2/sso/wallet/otp', 'PUT', 'GET, OPTIONS, POST'],
    ['/v2/sso/create-tag/otp', 'DELETE', 'GET, OPTIONS, POST'],
    ['/v2/sso/create-tag/otp', 'HEAD', 'GET, OPTIONS, POST'],
    ['/v2/sso/token', 'HEAD', 'DELETE, GET, OPTIONS'],
    ['/v2/sso/', 'POST', 'GET, HEAD, OPTIONS'],
    ['/v2/partner/wallet/PW-1/', 'PUT', 'GET, HEAD, OPTIONS'],
    ['/v2/partner/%77allet/a%2Fb', 'PUT', 'GET, HEAD, OPTIONS'],
    ['http://localhost/v2/partner/wallet/PW-1?a=b', 'PUT', 'GET, HEAD, OPTIONS'],
    ['/api/v1/transactions/pending', 'POST', 'GET, HEAD, OPTIONS'],
    ['/api/v1/tags/ada%40paytag', 'PUT', 'DELETE, GET, HEAD, OPTIONS'],
    ['/health/live', 'POST', 'GET, HEAD, OPTIONS'],
  ] as const)('%s has for %s: %s', async (url, method, allow) => {
    const answer = await server.app.inject({ method, url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
    const asked = await server.app.inject({ method: 'OPTIONS', url });
    expect([asked.statusCode, asked.headers.allow, asked.body]).toEqual([204, allow, '']);
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

describe('HEAD', () => {
  it.each([
    '/health/live',
    '/health/ready',
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server',
    '/v2/openapi.json',
    '/api/openapi.json',
    '/operator/v1/openapi.json',
    '/docs',
    '/docs/partners',
    '/',
    '/statement/verify',
    '/console/sign-in',
    '/p/nobody-has-it',
    '/api/v1/tags/nobody-has-it',
    '/v2/partner/float',
    '/v2/sso/wallet',
    '/operator/v1/partners',
  ])('answers at %s as GET does, without the body', async (url) => {
    for (const headers of [{}, { accept: 'text/html' }]) {
      const [got, head] = [await server.call('GET', url, { headers }), await server.call('HEAD', url, { headers })];
      expect([head.statusCode, head.body]).toEqual([got.statusCode, '']);
      expect(head.headers['content-type']).toBe(got.headers['content-type']);
      expect(head.headers['www-authenticate']).toBe(got.headers['www-authenticate']);
    }
  });

  it('is authenticated and measured as GET is', async () => {
    const partner = await server.newPartner();
    const head = await server.call('HEAD', '/v2/partner/float', { headers: partner.headers });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(10);
  });
});
