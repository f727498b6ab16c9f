import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressPolicy, createSender } from '#modules/webhooks';
import { selfSigned } from '../../support/self-signed.ts';

const HOST = 'secure.example';
const BODY = Buffer.from('{"event":"wallet.credited","data":{"Comment":"₦"}}');
const trusted = getCACertificates('default');
const certificate = selfSigned(`DNS:${HOST}`);

/** What came, and over which connection: they are numbered from 1. */
const received: { httpVersion: string; body: string; connection: number }[] = [];
const connections: unknown[] = [];
/** When an answer goes over a connection. */
let answers = async (_connection: number): Promise<void> => undefined;

/** As most web servers do, it prefers HTTP/2 where it is offered. */
const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
  void receive(request, response);
});
async function receive(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const carrier = request.httpVersion === '2.0' ? request.stream.session : request.socket;
  if (!connections.includes(carrier)) connections.push(carrier);
  const connection = connections.indexOf(carrier) + 1;
  received.push({ httpVersion: request.httpVersion, body: await text(request), connection });
  await answers(connection);
  response.writeHead(200).end();
}

let sender: ReturnType<typeof createSender>;
const senderWith = (timeoutMs: number) =>
  createSender({
    timeoutMs,
    allows: addressPolicy(['127.0.0.0/8']),
    resolve: async () => ['127.0.0.1'],
    connectionsPerOrigin: 4,
  });
const send = (by = sender) => {
  const { port } = server.address() as AddressInfo;
  return by.send(`https://${HOST}:${port}/hook`, { 'content-type': 'application/json' }, BODY);
};

beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert]);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.close();
});
beforeEach(() => {
  received.length = 0;
  connections.length = 0;
  answers = async () => undefined;
  sender = senderWith(60_000);
});
afterEach(() => sender.close());

describe('a receiver whose certificate is trusted', () => {
  test('is sent the bytes', async () => {
    expect(await send()).toMatchObject({ statusCode: 200, error: null });
    expect(received).toMatchObject([{ body: BODY.toString() }]);
  });

  test('is sent each of several at once over a connection of its own', async () => {
    const allCame = Promise.withResolvers<void>();
    answers = () => {
      if (received.length === 3) allCame.resolve();
      return allCame.promise;
    };
    await Promise.all([send(), send(), send()]);
    expect(new Set(received.map(({ connection }) => connection)).size).toBe(3);
  });

  test('whose connection went dead is met over a new one by the next attempt', async () => {
    answers = (connection) => (connection === 1 ? new Promise(() => undefined) : Promise.resolve());
    const hasty = senderWith(4_000);
    expect(await send(hasty)).toMatchObject({ error: 'timeout' });
    expect(await send(hasty)).toMatchObject({ error: null });
    await hasty.close();
    expect(received.map(({ httpVersion, connection }) => [httpVersion, connection])).toEqual([
      ['1.1', 1],
      ['1.1', 2],
    ]);
  });
});
