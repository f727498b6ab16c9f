import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressPolicy, createResolve, createSender } from '#modules/webhooks';
import { listenLocally } from '../../../src/embedded/port.ts';
import { ownPort } from '../../support/port.ts';
import { useReceiver } from '../../support/receiver.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { useDns } from './dns.ts';

const TIMEOUT_MS = 60_000;
const BODY = Buffer.from('{"event":"wallet.credited"}');
const receiver = useReceiver();
const dns = useDns();
const servers: Server[] = [];
let sender: ReturnType<typeof createSender>;
/** For those who never answer. */
let hasty: typeof sender;
const senderWith = (timeoutMs: number) =>
  createSender({
    timeoutMs,
    allows: addressPolicy(['127.0.0.0/8']),
    resolve: createResolve([dns.server]),
    connectionsPerOrigin: 4,
  });

beforeEach(() => {
  receiver.reset();
  dns.answer(() => ['127.0.0.1']);
  sender = senderWith(TIMEOUT_MS);
  hasty = senderWith(3_000);
});
afterEach(() => Promise.all([sender.close(), hasty.close()]));
afterAll(() => {
  for (const server of servers) server.close();
});

const send = (url = receiver.url, by = sender) => by.send(url, { 'content-type': 'application/json' }, BODY);
const named = (host: string) => receiver.url.replace('127.0.0.1', host);

async function listening(server: Server): Promise<number> {
  servers.push(server);
  return listenLocally(server);
}

describe('an answer', () => {
  test.each([200, 201])('%i is success', async (status) => {
    receiver.answer([{ status, body: 'thanks' }]);
    expect(await send()).toMatchObject({ statusCode: status, error: null, response: Buffer.from('thanks') });
    expect(receiver.requests).toMatchObject([{ method: 'POST', path: '/webhook', body: BODY }]);
  });

  test.each([202, 204, 400, 404, 410, 429, 500, 503])('%i is an error that names it', async (status) => {
    receiver.answer([status]);
    expect(await send()).toMatchObject({ statusCode: status, error: `status ${status}` });
  });

  test.each([301, 302, 307, 308])('%i is an error, and where it points is never asked', async (status) => {
    receiver.answer([{ status, headers: { location: `${receiver.url}/elsewhere` } }, 200]);
    expect(await send()).toMatchObject({ statusCode: status, error: `status ${status}` });
    expect(receiver.requests).toHaveLength(1);
  });

  test('says when to come again', async () => {
    receiver.answer([{ status: 503, headers: { 'retry-after': '120' } }]);
    expect(await send()).toMatchObject({ retryAfter: '120' });
  });

  test('of a megabyte counts by its status, and 16 KiB of it are kept', async () => {
    receiver.answer([{ status: 200, body: 'x'.repeat(1_000_000) }]);
    const { error, response } = await send();
    expect(error).toBeNull();
    expect(response).toEqual(Buffer.alloc(16 * 1024, 'x'));
  });

  test('that never comes to an end counts by its status, long before the time to answer is over', async () => {
    const port = await listening(
      createHttpServer((_, response) => {
        response.writeHead(200).write('a little');
      }),
    );
    const { durationMs, ...result } = await send(`http://127.0.0.1:${port}/`, sender);
    expect(result).toMatchObject({ statusCode: 200, error: null, response: Buffer.from('a little') });
    expect(durationMs).toBeLessThan(TIMEOUT_MS);
  });

  test('that a busy process reads after the time limit starts no timer with a negative time', async () => {
    const complaints: Error[] = [];
    const complain = (warning: Error) => complaints.push(warning);
    process.on('warning', complain);
    const waiting: ServerResponse[] = [];
    const port = await listening(
      createHttpServer((_, response) => {
        if (waiting.push(response) < 2) return;
        waiting[0]?.end();
        waiting[1]?.flushHeaders(); // and no body: the rest of the answer has a time limit of its own
      }),
    );
    const timeoutMs = 400;
    const brief = senderWith(timeoutMs);
    const sent = [1, 2].map(() => send(`http://127.0.0.1:${port}/`, brief));
    await Promise.race(sent);
    for (const until = performance.now() + timeoutMs; performance.now() < until; );
    await Promise.all(sent);
    await brief.close();
    process.off('warning', complain);
    expect(complaints).toEqual([]);
  });
});

describe('a failure', () => {
  test('timeout: the receiver takes the request and says nothing', async () => {
    receiver.answer(['hang']);
    expect(await send(receiver.url, hasty)).toMatchObject({ statusCode: null, error: 'timeout' });
  });

  test('timeout: the name server says nothing', async () => {
    dns.silence();
    expect(await send(named('silent.example'), hasty)).toMatchObject({ statusCode: null, error: 'timeout' });
  });

  test('reset: the receiver breaks the connection', async () => {
    receiver.answer(['drop']);
    expect(await send()).toMatchObject({ statusCode: null, error: 'reset' });
  });

  test('refused: nothing listens', async () => {
    expect(await send(`http://127.0.0.1:${await ownPort()}/`)).toMatchObject({ error: 'refused' });
  });

  test('dns: the name does not exist', async () => {
    dns.answer(() => []);
    expect(await send(named('gone.example'))).toMatchObject({ statusCode: null, error: 'dns' });
  });

  test('not http: the other side speaks something else', async () => {
    const port = await listening(createTcpServer((socket) => void socket.end('220 mail.example ESMTP\r\n')));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: null, error: 'not http' });
  });

  test('tls: the certificate is not trusted; the server was asked for by its name', async () => {
    const { key, cert } = selfSigned('DNS:secure.example');
    const asked: string[] = [];
    const port = await listening(
      createTlsServer({
        key,
        cert,
        SNICallback(name, done) {
          asked.push(name);
          done(null);
        },
      }),
    );
    expect(await send(`https://secure.example:${port}/`)).toMatchObject({ statusCode: null, error: 'tls' });
    expect(asked).toEqual(['secure.example']);
  });
});

describe('a blocked target', () => {
  const blocked = { statusCode: null, error: 'blocked target' };

  test.each(['10.0.0.1', '169.254.169.254', '168.63.129.16', '[::1]', '[::ffff:10.0.0.1]', '93.184.216.34'])(
    'is %s by http, and is not connected to',
    async (host) => {
      expect(await send(`http://${host}/`)).toMatchObject(blocked);
    },
  );

  test('is a name when any of its addresses is one', async () => {
    dns.answer(() => ['127.0.0.1', '10.0.0.1']);
    expect(await send(named('half.example'))).toMatchObject(blocked);
    expect(receiver.requests).toEqual([]);
  });

  test('is found when a name changes its address after it was saved', async () => {
    receiver.answer([{ status: 200, headers: { connection: 'close' } }]); // the next one needs a new connection
    expect(await send(named('turncoat.example'))).toMatchObject({ error: null });
    dns.answer(() => ['10.0.0.1']);
    expect(await send(named('turncoat.example'))).toMatchObject(blocked);
  });

  test('is judged by the very answer that is connected to: a name is asked for once a connection', async () => {
    const before = dns.asked;
    dns.answer(() => (dns.asked === before + 1 ? ['127.0.0.1'] : ['10.0.0.1']));
    expect(await send(named('rebinding.example'))).toMatchObject({ error: null });
    expect(dns.asked).toBe(before + 1);
    expect(receiver.requests[0]?.headers.host).toBe(new URL(named('rebinding.example')).host);
  });
});
