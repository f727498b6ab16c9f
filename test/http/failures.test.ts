import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { HTTPMethods } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { listenLocally } from '../../src/embedded/port.ts';
import { prepareDatabase } from '../../src/prepare-database.ts';
import { startFailure } from '../../src/start-failure.ts';
import { useApp, useSharedApp } from '../support/app.ts';
import { documentUrls, readDocument } from '../support/described.ts';
import { refusalOf } from '../support/refusals.ts';
import { selfSigned } from '../support/self-signed.ts';

describe('a failure', () => {
  const server = useApp();
  const uuid = /^[0-9a-f-]{36}$/;

  const failure = (errorCode: string) => ({
    success: false,
    message: expect.any(String),
    errorCode,
    errors: [expect.any(String)],
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    requestId: expect.stringMatching(uuid),
  });

  describe('an unknown route', () => {
    it.each(['/nothing', '/v2/nothing', '/v2/partner/nothing', '/v2/sso/a/b/c', '/operator/v1/nothing'])(
      '%s answers 404 in the one error shape',
      async (url) => {
        const answer = await server.call('GET', url);
        expect(answer.statusCode).toBe(404);
        expect(answer.json()).toEqual(failure('ROUTE_NOT_FOUND'));
      },
    );

    it('of the switch answers in the Envelope, whose data is null', async () => {
      const answer = await server.call('GET', '/api/v1/nothing/here');
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ ...failure('ROUTE_NOT_FOUND'), data: null });
    });
  });

  describe('a request that cannot be read', () => {
    it.each([
      [
        'malformed JSON',
        { headers: { 'content-type': 'application/json' }, payload: '{"amount":' },
        400,
        'MALFORMED_JSON',
      ],
      [
        'another content type',
        { headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      ['no content type', { payload: Buffer.from('x') }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [
        'more than 32 KiB',
        { headers: { 'content-type': 'application/json' }, payload: JSON.stringify({ a: 'x'.repeat(33_000) }) },
        413,
        'BODY_TOO_LARGE',
      ],
      [
        'an empty body where one is needed',
        { headers: { 'content-type': 'application/json' }, payload: '' },
        400,
        'INVALID_PARAMETER',
      ],
      ['a list for an object', { payload: [] as object }, 400, 'INVALID_PARAMETER'],
    ])('%s answers %#: %j', async (_what, call, status, code) => {
      const partner = await server.newPartner();
      const answer = await server.call('POST', '/v2/partner/wallet', {
        ...call,
        headers: { ...partner.headers, ...('headers' in call ? call.headers : {}) },
      });
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({ errorCode: code, success: false });
    });

    it('a path that is not well encoded answers 400', async () => {
      expect(refusalOf(await server.call('GET', '/api/v1/tags/%E0%A4%A'))).toEqual([400, 'BAD_REQUEST']);
    });
  });

  describe('what no route takes', () => {
    it.each([
      ['text', 'text/plain', 'hello'],
      ['broken JSON', 'application/json', '{"a":'],
      ['a body that is too large', 'application/json', JSON.stringify('x'.repeat(40_000))],
    ])('is 404 or 405 with Allow, whatever its body is: %s', async (_, type, payload) => {
      const sent = { headers: { 'content-type': type }, payload };
      for (const url of ['/nope', '/v2/nope', '/api/v1/nope', '/operator/v1/nope']) {
        expect([url, ...refusalOf(await server.call('POST', url, sent))]).toEqual([url, 404, 'ROUTE_NOT_FOUND']);
      }
      const refused = await server.call('DELETE', '/v2/partner/float', sent);
      expect([...refusalOf(refused), refused.headers.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD, OPTIONS']);
    });
  });

  describe('a request id', () => {
    it('is taken when it is well formed, returned, and part of a failure', async () => {
      const answer = await server.call('GET', '/v2/nothing', { headers: { 'x-request-id': 'order-42.retry_1' } });
      expect(answer.headers['x-request-id']).toBe('order-42.retry_1');
      expect(answer.json().requestId).toBe('order-42.retry_1');
    });

    it.each(['with space', 'x'.repeat(129), 'line%0abreak', '<script>'])(
      '%s is replaced by one of ours',
      async (id) => {
        const answer = await server.call('GET', '/health/live', { headers: { 'x-request-id': id } });
        expect(answer.headers['x-request-id']).toMatch(uuid);
      },
    );
  });

  it('no GET that acts answers a HEAD: a code exchanged or an OTP sent unseen would be lost', async () => {
    for (const url of ['/v2/sso/token?auth-code=x', '/v2/sso/abc/otp', '/v2/sso/create-tag/abc/otp']) {
      expect((await server.call('HEAD', url)).statusCode).toBe(405);
    }
    expect((await server.call('HEAD', '/health/live')).statusCode).toBe(200);
  });
});

describe('a database that refuses us', () => {
  const rootKey = {
    wrapsWith: 'master-key',
    masterKey: Buffer.alloc(32, 7),
    previousMasterKey: undefined,
    vault: undefined,
  } as const;

  let server: Server;
  afterEach(() => server.close());

  /** What a server that cannot use the database at `url` prints. */
  async function refusalBy(answer: (socket: Socket) => void, options = ''): Promise<unknown> {
    server = createServer((socket) => socket.on('error', () => undefined).once('data', () => answer(socket)));
    const url = `postgresql://app@127.0.0.1:${await listenLocally(server)}/app${options}`;
    const settings = { environment: 'sandbox', rootKey, migrate: 'never' } as const;
    return startFailure(
      await prepareDatabase({ url, ownerUrl: undefined }, settings).then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
  }

  const int = (bytes: 2 | 4, value: number) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeIntBE(value, 0, bytes);
    return buffer;
  };
  /** A message of PostgreSQL's protocol: https://www.postgresql.org/docs/18/protocol-message-formats.html */
  const message = (type: string, ...parts: (Buffer | string)[]) => {
    const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
    return Buffer.concat([Buffer.from(type), int(4, body.length + 4), body]);
  };
  const column = (name: string) =>
    Buffer.concat([Buffer.from(`${name}\0`), int(4, 0), int(2, 0), int(4, 25), int(2, -1), int(4, -1), int(2, 0)]);
  const ready = message('Z', 'I');

  /** A PostgreSQL of this version without any schema of ours. */
  const postgresql = (version: string) => (socket: Socket) => {
    socket.write(Buffer.concat([message('R', int(4, 0)), ready]));
    socket.on('data', (data) => {
      if (data.toString('latin1', 0, 1) !== 'Q') return;
      const row = [int(2, 2), int(4, -1), int(4, version.length), version];
      const columns = message('T', int(2, 2), column('stamp'), column('version'));
      socket.write(Buffer.concat([columns, message('D', ...row), message('C', 'SELECT 1\0'), ready]));
    });
  };

  it.each(['17.6 (Debian 17.6-1)', '9.6.24'])(
    'PostgreSQL %s is too old, and the line says which is needed',
    async (version) => {
      expect(await refusalBy(postgresql(version))).toMatch(
        new RegExp(
          `^DATABASE_URL: 127\\.0\\.0\\.1:\\d+/app is PostgreSQL ${version.replaceAll(/[.()]/g, '\\$&')}: PostgreSQL 18 or newer is needed$`,
        ),
      );
    },
  );

  it('a certificate of the database that nobody vouches for is a line that says where its authority is named', async () => {
    const { key, cert } = selfSigned('IP:127.0.0.1');
    const encrypting = (socket: Socket) => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined);
    };
    expect(await refusalBy(encrypting, '?sslmode=verify-full')).toBe(
      'DATABASE_URL: the certificate of the database is not trusted (self-signed certificate): name its authority in the URL, with sslrootcert=/path/of/ca.pem',
    );
  });

  it('a database that offers no TLS where it was asked for is a line', async () => {
    const line = await refusalBy((socket) => socket.write('N'), '?sslmode=verify-full');
    expect(line).toBe('DATABASE_URL: the database cannot be reached (The server does not support SSL connections)');
  });
});

describe('a method that is not allowed', () => {
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
      const app = server.app;
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
});
