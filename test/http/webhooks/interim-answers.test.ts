import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { addressPolicy, createResolve, createSender } from '#modules/webhooks';
import { listenLocally } from '../../../src/embedded/port.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const servers: Server[] = [];
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

/** In place of bytes: the receiver hangs up. */
const HANG_UP = '';

function writeNext(socket: Socket, [part, ...rest]: readonly string[]): void {
  if (part === undefined) return;
  if (part === HANG_UP) socket.end();
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
  expect(await send(url)).toMatchObject({ statusCode: null, error: 'failed' });
});
