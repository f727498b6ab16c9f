import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { liveEnv } from '../support/variables.ts';

const live = { ...liveEnv, OPERATOR_PORT: '9465' };
const server = useApp();
const direct = useApp(live);
const proxied = useApp({ ...live, TRUSTED_PROXIES: '127.0.0.1' }, direct);

let port = 0;
beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

async function raw(headers: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/v1/tags/nobody HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };

it('V4.2.1: a request with two Host headers is refused, equal ones too, and one is answered', async () => {
  for (const second of ['evil.example', 'pay.example', '']) {
    const answer = await raw(`host: pay.example\r\nHOST: ${second}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"errorCode":"BAD_REQUEST"');
  }
  expect(await raw('host: pay.example')).toMatch(/^HTTP\/1\.1 404 /);
});

it('V4.1.3: live behind a proxy that it does not trust refuses everything but health, and says once what to set', async () => {
  for (const url of ['/api/v1/tags/nobody', '/v2/partner/float', '/nothing']) {
    const answer = await direct.call('GET', url, forwarded);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([503, 'PROXY_NOT_TRUSTED']);
    expect(answer.headers['retry-after']).toBe('60');
  }
  for (const url of ['/health/live', '/health/ready']) {
    expect((await direct.call('GET', url, forwarded)).statusCode).toBe(200);
  }
  expect(direct.logged.split('set TRUSTED_PROXIES').length - 1).toBe(1);
});

it('V4.1.3: who calls is an address, whatever a proxy writes around it, and nothing else', async () => {
  const addresses = {
    '203.0.113.9:40001': '203.0.113.9',
    '198.51.100.7, 203.0.113.9:2': '203.0.113.9',
    '[2001:db8::1]:443': '2001:db8::1',
    '203.0.113.9, garbage': '127.0.0.1',
    'fe80::1%eth0': '127.0.0.1',
    '999.1.1.1': '127.0.0.1',
  };
  for (const [written, read] of Object.entries(addresses)) {
    const { headers } = await proxied.call('GET', '/api/v1/tags/nobody', { headers: { 'x-forwarded-for': written } });
    const line = proxied.logged.split('\n').find((one) => one.includes(String(headers['x-request-id'])));
    expect([written, JSON.parse(line ?? '{}').address]).toEqual([written, read]);
  }
});

it('V4.1.3: without the header, behind a proxy that is trusted, and in the sandbox it is answered', async () => {
  const answers = [
    await direct.call('GET', '/api/v1/tags/nobody'),
    await proxied.call('GET', '/api/v1/tags/nobody', forwarded),
    await server.call('GET', '/api/v1/tags/nobody', forwarded),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect(proxied.logged).toContain('203.0.113.9');
});
