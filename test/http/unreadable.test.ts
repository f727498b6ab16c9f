import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { refusalOf } from '../support/refusals.ts';
import { kycWallet } from '../support/wallets.ts';

const server = useSharedApp();
let port = 0;
beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

/** Sends bytes as they are, and gives what comes back until the server hangs up. */
async function raw(bytes: string): Promise<{ status: number; head: string; body: Record<string, unknown> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
}

it.each([
  ['a header that is too large', `GET / HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a header line that is none', 'GET / HTTP/1.1\r\nhost: x\r\nno colon here\r\n\r\n', 400],
  [
    'a length and chunks at once',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n',
    400,
  ],
  ['what is not HTTP at all', 'hello\r\n\r\n', 400],
  ['no Host', 'GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['no Host where nothing is', 'GET /nothing HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['an expectation that nobody meets', 'GET /health/live HTTP/1.1\r\nhost: x\r\nexpect: foo\r\n\r\n', 417],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n', 405],
  ['a method that nobody knows', 'FOO / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['a version that is not spoken', 'GET / HTTP/3.7\r\nhost: x\r\n\r\n', 400],
  ['how HTTP/2 begins', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', 400],
  ['an address of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
  [
    'a chunk that is none',
    'POST /v2/partner/wallet HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    400,
  ],
  ['a length that is none', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: two\r\n\r\n', 400],
  ['a blank in the address', 'GET /a b HTTP/1.1\r\nhost: x\r\n\r\n', 400],
])('%s is refused in the one error shape', async (_what, bytes, status) => {
  const answer = await raw(bytes);
  expect(answer.status).toBe(status);
  expect(answer.head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  expect(answer.body).toMatchObject({ success: false, errorCode: 'BAD_REQUEST', errors: [expect.any(String)] });
  expect(server.logged).toContain(String(answer.body['requestId']));
});

it('a request that trickles in is ended once its time is over, its headers as well as its body', async () => {
  const { server: http } = server.app;
  expect(http).toMatchObject({ headersTimeout: 30_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 });
  const [headersTimeout, requestTimeout] = [http.headersTimeout, http.requestTimeout];
  Object.assign(http, { headersTimeout: 100, requestTimeout: 100 });
  try {
    const token = 'POST /api/v1/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9';
    const begun = ['GET / HTTP/1.1\r\nhost: x\r\nx-a: ', `${token}\r\n\r\n{`];
    for (const bytes of begun) expect(await raw(bytes)).toMatchObject({ status: 408, body: { success: false } });
  } finally {
    Object.assign(http, { headersTimeout, requestTimeout });
  }
});

it.each(['/v2/%zz', `/v2/partner/paytag/bvn/${'22212345678'.repeat(40)}`])(
  'a path that cannot be routed is refused with its request id, logged, and not repeated: %s',
  async (url) => {
    const answer = await server.call('GET', url);
    expect([400, 404, 405, 414]).toContain(answer.statusCode);
    expect(answer.headers['x-request-id']).toBe(answer.json().requestId);
    expect(server.logged).toContain(answer.json().requestId);
    expect(answer.body).not.toContain(url.slice(4));
  },
);

it('a body that is not UTF-8 is refused', async () => {
  const { headers } = await server.newPartner();
  const payload = Buffer.concat([Buffer.from('{"kyc":{"firstName":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}')]);
  const answer = await server.call('POST', '/v2/partner/wallet', {
    headers: { ...headers, 'content-type': 'application/json' },
    payload,
  });
  expect(refusalOf(answer)).toEqual([400, 'MALFORMED_JSON']);
});

describe('what could be read in two ways', () => {
  const twice = [
    'authorization',
    'x-api-key',
    'x-client-id',
    'x-terminal',
    'idempotency-key',
    'content-type',
    'origin',
  ];

  it.each(['host', ...twice])('is refused: a second %s header, whichever of them would be right', async (name) => {
    for (const values of [
      ['one', 'two'],
      ['same', 'same'],
      ['', 'one'],
    ]) {
      const [first, second] = values.map((value, at) => `${at === 0 ? name : name.toUpperCase()}: ${value}\r\n`);
      const host = name === 'host' ? '' : 'host: x\r\n';
      const answer = await raw(`GET /v2/partner/float HTTP/1.1\r\n${host}${first}${second}connection: close\r\n\r\n`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errorCode: 'BAD_REQUEST' });
      expect(answer.body['message']).toContain(name);
    }
  });

  it.each(['gzip', 'GZIP', 'deflate', 'br', 'zstd', 'compress', 'gzip, gzip', 'aws-chunked', 'identity, gzip'])(
    'is refused: a body that is %s, with what is taken instead',
    async (encoding) => {
      for (const [method, url] of [
        ['POST', '/v2/partner/wallet'],
        ['POST', '/api/v1/auth/token'],
        ['POST', '/operator/v1/partners'],
        ['POST', '/hooks/paystack'],
        ['PUT', '/v2/partner/webhook'],
      ] as const) {
        const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
        const answer = await server.call(method, url, { headers, payload: gzipSync('{}') });
        expect(refusalOf(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
        expect(answer.headers['accept-encoding']).toBe('identity');
      }
    },
  );

  it('is not a GET, which has no body, whatever is said of that', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await server.call('GET', '/health/live', { headers })).statusCode).toBe(200);
  });

  it('is not a body that says that it is as it is', async () => {
    for (const encoding of ['identity', 'Identity', '']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      expect((await server.call('POST', '/v2/partner/wallet', { headers, payload: {} })).statusCode).toBe(401);
    }
  });

  it.each(['%ff', 'a=%c3', 'a=%C3%28', '%80=a', 'a=%ed%a0%80', 'a=%f5%80%80%80', 'a=%c0%af', 'a=b&c=%e2%82'])(
    'is refused: a query that is no UTF-8, %s',
    async (query) => {
      for (const url of ['/v2/sso/verify-tag', '/api/v1/tags/ada', '/docs', '/operator/v1/tags', '/nothing']) {
        expect(refusalOf(await server.call('GET', `${url}?${query}`))).toEqual([400, 'BAD_REQUEST']);
      }
    },
  );

  it('is refused: a query of bytes that are not escaped', async () => {
    const answer = await raw('GET /docs?a=\u00e9 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(answer.status).toBe(400);
  });

  it.each(['a=%E1%BB%8Cl%C3%A1', 'a=100%', 'a=%zz&b=50%25', 'a=a+b', ''])('is no query of UTF-8: %s', async (query) => {
    expect((await server.call('GET', `/docs?${query}`)).statusCode).toBe(200);
  });

  it('is refused: a form that is no UTF-8', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const payload of ['client_id=%ff', Buffer.from('client_id=\u00e9', 'latin1'), 'client_id=Ọ']) {
      const answer = await server.call('POST', '/api/v1/auth/token', { headers, payload });
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
    }
  });
});

describe('a name that no URL could name', () => {
  it.each(['.', '..', ' .. ', '\u202a.\u202c'])('is refused: %j', async (name) => {
    const partner = await server.newPartner();
    const reference = await kycWallet(server, partner);
    const body = { amount: 1, reference: name };
    const credit = await server.call('POST', `/v2/partner/wallet/${reference}/credit`, {
      headers: partner.headers,
      payload: body,
    });
    expect([credit.statusCode, credit.json().message]).toEqual([400, expect.stringMatching(/^reference: .*\.\./)]);
    const { headers } = await newApplication(server);
    const subject = await server.call('POST', '/api/v1/subjects', { headers, payload: { externalId: name } });
    expect([subject.statusCode, subject.json().message]).toEqual([400, expect.stringMatching(/^externalId: /)]);
    const terminal = await server.operate('POST', '/terminals', { partnerId: partner.id, serialNumber: name });
    expect([terminal.statusCode, terminal.json().message]).toEqual([400, expect.stringMatching(/^serialNumber: /)]);
  });
});
