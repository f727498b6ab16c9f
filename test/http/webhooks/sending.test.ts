import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { constants } from 'node:os';
import { createServer as createTlsServer } from 'node:tls';
import { errors as undiciErrors } from 'undici';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressPolicy, createResolve, createSender } from '#modules/webhooks';
import { listenLocally } from '../../../src/embedded/port.ts';
import { deliveryErrors, errorClass } from '../../../src/modules/webhooks/outcome.ts';
import { firstIsDead, useHttp2Server } from '../../support/http2-server.ts';
import { ownPort } from '../../support/process.ts';
import { useReceiver } from '../../support/receiver.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { useDns } from './dns.ts';

const servers: Server[] = [];

describe('a dispatch', () => {
  const TIMEOUT_MS = 60_000;
  const BODY = Buffer.from('{"event":"wallet.credited"}');
  const receiver = useReceiver();
  const dns = useDns();
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
});

describe('a dispatch over TLS', () => {
  const HOST = 'secure.example';
  const BODY = Buffer.from('{"event":"wallet.credited","data":{"Comment":"₦"}}');
  const server = useHttp2Server(HOST);

  let sender: ReturnType<typeof createSender>;
  const send = () => sender.send(`https://${HOST}:${server.port}/hook`, { 'content-type': 'application/json' }, BODY);

  beforeEach(() => {
    sender = createSender({
      timeoutMs: 3_000,
      allows: addressPolicy(['127.0.0.0/8']),
      resolve: async () => ['127.0.0.1'],
      connectionsPerOrigin: 4,
    });
  });
  afterEach(() => sender.close());

  describe('a receiver whose certificate is trusted', () => {
    test('is sent the bytes', async () => {
      expect(await send()).toMatchObject({ statusCode: 200, error: null });
      expect(server.received).toMatchObject([{ body: BODY.toString() }]);
    });

    test('is sent each of several at once over a connection of its own', async () => {
      const allCame = Promise.withResolvers<void>();
      server.answer(() => {
        if (server.received.length === 3) allCame.resolve();
        return allCame.promise;
      });
      await Promise.all([send(), send(), send()]);
      expect(new Set(server.received.map(({ connection }) => connection)).size).toBe(3);
    });

    test('whose connection went dead is met over a new one by the next attempt', async () => {
      server.answer(firstIsDead);
      expect(await send()).toMatchObject({ error: 'timeout' });
      expect(await send()).toMatchObject({ error: null });
      expect(server.received).toMatchObject([
        { httpVersion: '1.1', connection: 1 },
        { httpVersion: '1.1', connection: 2 },
      ]);
    });
  });
});

describe('the status line of an answer', () => {
  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  let sender: ReturnType<typeof createSender>;

  beforeEach(() => {
    sender = createSender({
      timeoutMs: 5_000,
      allows: addressPolicy(['127.0.0.0/8']),
      resolve: createResolve(),
      connectionsPerOrigin: 1,
    });
  });
  afterEach(() => sender.close());
  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** In place of bytes: the receiver hangs up, or breaks the connection. */
  const HANG_UP = '';
  const BREAK = '\0';

  function writeNext(socket: Socket, [part, ...rest]: readonly string[]): void {
    if (part === undefined) return;
    if (part === HANG_UP) socket.end();
    else if (part === BREAK) socket.resetAndDestroy();
    else socket.write(part);
    setImmediate(writeNext, socket, rest);
  }

  /** A receiver that answers each request with these bytes, each part in a packet of its own. */
  async function receiverThatWrites(...parts: readonly string[]): Promise<{ url: string; sockets: Socket[] }> {
    const sockets: Socket[] = [];
    const server = createServer({ noDelay: true }, (socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', (request) => {
        if (String(request).endsWith('{}')) writeNext(socket, parts);
      });
    });
    servers.push(server);
    return { url: `http://127.0.0.1:${await listenLocally(server)}/`, sockets };
  }

  const send = (url: string) => sender.send(url, { 'content-type': 'application/json' }, Buffer.from('{}'));
  const delivered = { statusCode: 200, error: null, response: Buffer.from('ok') };

  test.each([
    ['100 Continue', [CONTINUE + OK]],
    ['100 Continue, long before it', [CONTINUE, OK]],
    ['100 Continue, byte by byte', (CONTINUE + OK).split('')],
    ['several of them, with headers', [CONTINUE, `HTTP/1.1 100 Go on\r\nx: ${'y'.repeat(500)}\r\n\r\n${CONTINUE}`, OK]],
    ['102 Processing', ['HTTP/1.1 102 Processing\r\n\r\n', OK]],
    ['103 Early Hints', ['HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n', OK]],
    ['100 and 103', [CONTINUE, `HTTP/1.1 103 Early Hints\r\n\r\n${OK}`]],
  ])(
    'an answer after %s that nobody asked for counts, and so do those after it on the same connection',
    async (_, parts) => {
      const { url, sockets } = await receiverThatWrites(...parts);
      for (let n = 0; n < 3; n++) expect(await send(url)).toMatchObject(delivered);
      expect(sockets).toHaveLength(1);
    },
  );

  test('a 503 after 100 Continue is the failure that it is', async () => {
    const { url } = await receiverThatWrites(CONTINUE, 'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n');
    expect(await send(url)).toMatchObject({ statusCode: 503, error: 'status 503' });
  });

  test('what looks like 100 Continue within an answer is kept', async () => {
    const { url } = await receiverThatWrites(`HTTP/1.1 200 OK\r\ncontent-length: ${CONTINUE.length}\r\n\r\n`, CONTINUE);
    expect(await send(url)).toMatchObject({ statusCode: 200, response: Buffer.from(CONTINUE) });
  });

  test('a receiver that says 100 Continue and hangs up has not answered', async () => {
    const { url } = await receiverThatWrites(CONTINUE, HANG_UP);
    expect(await send(url)).toMatchObject({ statusCode: null, error: 'reset' });
  });

  test('a head of 100 Continue without an end is no answer', async () => {
    const { url } = await receiverThatWrites(`HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(20_000)}`);
    expect(await send(url)).toMatchObject({ statusCode: null, error: 'not http' });
  });

  /** What follows a status line, in heads that clients break the connection at. */
  const badRests: readonly (readonly [string, readonly string[]])[] = [
    ['a length and chunks', ['\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n']],
    ['chunks and a length', ['\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n']],
    ['a length said twice', ['\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok']],
    ['two lengths', ['\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok']],
    ['a length that is none', ['\r\ncontent-length: two\r\n\r\nok']],
    ['a length below 0', ['\r\ncontent-length: -1\r\n\r\nok']],
    ['headers of 20 kB', [`\r\nset-cookie: ${'x'.repeat(20_000)}\r\ncontent-length: 2\r\n\r\nok`]],
    ['three hundred headers', [`\r\n${'x-a: b\r\n'.repeat(300)}content-length: 2\r\n\r\nok`]],
    ['LF alone', ['\ncontent-length: 2\n\nok']],
    ['CR alone behind the line', ['\rcontent-length: 2\r\n\r\nok']],
    ['a header without a name', ['\r\n: nothing\r\n\r\nok']],
    ['a header with a blank before its colon', ['\r\ncontent-length : 2\r\n\r\nok']],
    ['a folded header', ['\r\nx-long: a\r\n b\r\ncontent-length: 2\r\n\r\nok']],
    ['a control character in a header', ['\r\nx-a: \u0001\r\ncontent-length: 2\r\n\r\nok']],
    ['chunks that are none', ['\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n']],
    ['chunks that do not end', ['\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n', HANG_UP]],
    ['less than its length', ['\r\ncontent-length: 20\r\n\r\nok', HANG_UP]],
    ['more than its length', ['\r\ncontent-length: 2\r\n\r\nok and more']],
    ['an encoding that nobody has', ['\r\ntransfer-encoding: wrapped\r\n\r\nok']],
    ['a content encoding that is not true', ['\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nok']],
    ['a connection that ends within the head', ['\r\ncontent-le', HANG_UP]],
    ['a connection that breaks within the head', ['\r\ncontent-le', BREAK]],
    ['a connection that ends behind the line', ['\r\n', HANG_UP]],
    ['a connection that breaks behind the line', ['\r\n', BREAK]],
    ['nothing at all', ['\r\n']],
    ['text in place of a head', ['\r\nthanks\r\n', HANG_UP]],
  ];

  test.each([
    ['HTTP/1.1 200 OK', 200, null],
    ['HTTP/1.1 201 Created', 201, null],
    ['HTTP/1.0 200 OK', 200, null],
    ['HTTP/1.1 200', 200, null],
    ['HTTP/1.1 503 Busy', 503, 'status 503'],
    ['HTTP/1.1 202 Accepted', 202, 'status 202'],
  ] as const)('%s decides, whatever follows', async (line, statusCode, error) => {
    const results = badRests.map(async ([what, [first = '', ...rest]]) => {
      const { url } = await receiverThatWrites(line + first, ...rest);
      const result = await send(url);
      return { what, statusCode: result.statusCode, error: result.error };
    });
    expect(await Promise.all(results)).toEqual(badRests.map(([what]) => ({ what, statusCode, error })));
  });

  test.each([
    ['HTTP/1.0 without a length', ['HTTP/1.0 200 OK\r\n\r\nok', HANG_UP]],
    ['empty lines before it', ['\r\n\r\n', OK]],
    ['HTTP/2 in its name', ['HTTP/2 200\r\n\r\n', HANG_UP]],
    ['small letters', ['http/1.1 200 ok\r\n\r\n', HANG_UP]],
    ['two blanks', ['HTTP/1.1  200  OK\r\n\r\n', HANG_UP]],
    ['bytes one by one and a break', [...'HTTP/1.1 200 OK\r\n'.split(''), BREAK]],
    ['103 before it, by LF alone', ['HTTP/1.1 103 Early Hints\nlink: a\n\n', 'HTTP/1.1 200 OK\n\n']],
  ])('a status line with %s is a success', async (_, parts) => {
    const { url } = await receiverThatWrites(...parts);
    expect(await send(url)).toMatchObject({ statusCode: 200, error: null });
  });

  test.each([
    ['220 mail.example ESMTP\r\n', 'not http'],
    ['<html>200</html>', 'not http'],
    ['HTTP/1.1 2000 OK\r\n\r\n', 'not http'],
    ['HTTP/1.1 OK 200\r\n\r\n', 'not http'],
    ['HTTP/1.1\r\n200 OK\r\n\r\n', 'not http'],
    ['ICY 200 OK\r\n\r\n', 'not http'],
    ['SSH-2.0-OpenSSH_9.6\r\n', 'not http'],
  ])('%j is no status line', async (said, error) => {
    const { url } = await receiverThatWrites(said);
    expect(await send(url)).toMatchObject({ statusCode: null, error });
  });

  test.each([
    ['HTTP/1.1 20', HANG_UP],
    ['HTTP/1.1 20', BREAK],
    ['', BREAK],
  ])('%j and no more is a connection that broke', async (said, end) => {
    const { url } = await receiverThatWrites(...(said === '' ? [end] : [said, end]));
    expect(await send(url)).toMatchObject({ statusCode: null, error: 'reset' });
  });

  test('a status of one answer is not taken for the next: a connection that closes before it takes a request has said nothing', async () => {
    const { url, sockets } = await receiverThatWrites(OK);
    expect(await send(url)).toMatchObject(delivered);
    const [first] = sockets;
    first?.removeAllListeners('data');
    first?.on('data', () => first.resetAndDestroy());
    expect(await send(url)).toMatchObject({ statusCode: null, error: 'reset' });
    expect(await send(url)).toMatchObject(delivered);
  });

  test('the guide has every word of lastError, and no other', async () => {
    const guide = await readFile('src/docs/webhooks.md', 'utf8');
    const table = guide.slice(guide.indexOf('| `lastError` |')).split('\n\n')[0] ?? '';
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, word, meaning]) => [word, meaning]);
    expect(rows.slice(2)).toEqual(Object.entries(deliveryErrors));
    expect(rows[1]?.[0]).toBe('status 503');
  });

  test('whatever goes wrong has one of these words', () => {
    const codes = [
      ...Object.keys(constants.errno),
      ...Object.values(undiciErrors).map((Kind) =>
        String(Object(Reflect.construct(Kind, ['it broke', 500, { headers: {}, data: '' }])).code),
      ),
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'CERT_HAS_EXPIRED',
      'nonsense',
    ];
    const errors = [
      ...codes.map((code) => Object.assign(new Error('it broke'), { code })),
      undefined,
      null,
      'text',
      7,
      {},
    ];
    const words = errors.flatMap((error) => [true, false].map((isConnected) => errorClass(error, isConnected)));
    expect(words.filter((word) => !(word in deliveryErrors))).toEqual([]);
  });
});
