import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';

const server = useApp();
let port = 0;

beforeAll(async () => {
  port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

/** What comes back for these bytes until the server hangs up. */
async function answersTo(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

const statusesIn = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);

/** A second request in what a proxy before us takes for the body of the first. */
const HIDDEN = 'GET /health/live?smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
const post = (headers: string, body = `0\r\n\r\n${HIDDEN}`) =>
  `POST /api/v1/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;

describe('a request about whose end two servers may differ', () => {
  it.each([
    ['a length beside chunks', post(`content-length: ${5 + HIDDEN.length}\r\ntransfer-encoding: chunked`)],
    ['chunks before a length', post(`transfer-encoding: chunked\r\ncontent-length: ${5 + HIDDEN.length}`)],
    ['two lengths', post(`content-length: 5\r\ncontent-length: ${5 + HIDDEN.length}`)],
    ['two lengths in one header', post(`content-length: 5, ${5 + HIDDEN.length}`)],
    ['a length that is no number', post('content-length: +5')],
    ['chunks with a name that only looks like it', post('transfer-encoding: xchunked')],
    ['chunks that are not the last coding', post('transfer-encoding: chunked, identity')],
    ['a blank before the colon', post(`transfer-encoding : chunked\r\ncontent-length: ${5 + HIDDEN.length}`)],
    ['a header that goes on in the next line', post('transfer-encoding:\r\n chunked')],
    ['a chunk whose size is none', post('transfer-encoding: chunked', `0x5\r\nabcde\r\n0\r\n\r\n${HIDDEN}`)],
    ['a line feed in a header', post(`x-a: b\ntransfer-encoding: chunked\r\ncontent-length: 5`)],
  ])('V4.2.1: is refused, and nothing after it is read as another request: %s', async (_what, bytes) => {
    const answers = await answersTo(bytes);
    expect(statusesIn(answers)).toEqual(['400']);
    expect(answers).not.toContain('"live"');
    expect(answers).toMatch(/^connection: close\r$/m);
  });

  it('V4.2.1: one whose end is clear leaves the connection to the next one', async () => {
    const close = 'GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    const answers = await answersTo(post('content-length: 2', '{}') + close);
    expect(statusesIn(answers)).toEqual(['400', '200']);
  });
});
