import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { listenLocally } from '../../src/embedded/port.ts';
import { selfSigned } from './self-signed.ts';

/** A request, and over which connection it came: they are numbered from 1. */
export interface ReceivedByHttps {
  readonly httpVersion: string;
  readonly body: string;
  readonly connection: number;
}

/** A web server on 127.0.0.1 whose certificate this process trusts, and which prefers HTTP/2 where it is offered, as most do. */
export interface Http2Server {
  readonly port: number;
  /** In this test. */
  readonly received: readonly ReceivedByHttps[];
  /** Answers a request over this connection with 200 and `{}` when it resolves; at once unless it is set. */
  answer(when: (connection: number) => Promise<void>): void;
}

/** Its certificate is for `host` and `127.0.0.1`. */
export function useHttp2Server(host: string): Http2Server {
  const trusted = getCACertificates('default');
  const certificate = selfSigned(`DNS:${host},IP:127.0.0.1`);
  const received: ReceivedByHttps[] = [];
  const connections: unknown[] = [];
  const atOnce = async () => undefined;
  let answered: (connection: number) => Promise<void> = atOnce;
  let port = 0;

  async function receive(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const carrier = request.httpVersion === '2.0' ? request.stream.session : request.socket;
    if (!connections.includes(carrier)) connections.push(carrier);
    const connection = connections.indexOf(carrier) + 1;
    received.push({ httpVersion: request.httpVersion, body: await text(request), connection });
    await answered(connection);
    response.writeHead(200).end('{}');
  }
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    void receive(request, response);
  });

  beforeAll(async () => {
    setDefaultCACertificates([...trusted, certificate.cert]);
    port = await listenLocally(server);
  });
  afterAll(() => {
    setDefaultCACertificates(trusted);
    server.close();
  });
  beforeEach(() => {
    received.length = 0;
    connections.length = 0;
    answered = atOnce;
  });
  return {
    get port() {
      return port;
    },
    received,
    answer(when) {
      answered = when;
    },
  };
}

/** Never answers over the first connection. */
export const firstIsDead = (connection: number): Promise<void> =>
  connection === 1 ? new Promise(() => undefined) : Promise.resolve();
