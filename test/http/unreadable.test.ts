import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';

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
    const begun = ['GET / HTTP/1.1\r\nhost: x\r\nx-a: ', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'];
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
  expect(answer.statusCode).toBe(400);
  expect(answer.json().errorCode).toBe('MALFORMED_JSON');
});
