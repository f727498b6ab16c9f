import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import Fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { closeServers, createDrain } from '#http/drain.ts';
import { newServer } from '#http/new-server.ts';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { waitersFor } from '../support/row-locks.ts';

describe('a client that hangs up', () => {
  const server = useApp();
  let port = 0;
  beforeAll(async () => {
    port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
  });

  type Line = { level: number; msg: string; err?: object; [member: string]: unknown };
  const lines = () =>
    server.logged
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line));

  it('a client that hangs up in the middle of its body is not logged as a database that is down', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const arrived = once(server.app.server, 'request');
    socket.write(
      'POST /api/v1/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"cl',
    );
    await arrived;
    socket.destroy();
    await eventually(() => expect(server.logged).toContain('the client hung up'));
    expect(lines().filter(({ level }) => level >= 40)).toEqual([]);
    expect(server.logged).not.toContain('STORE_UNAVAILABLE');
  });

  it('a client that hangs up before its answer has a line in the access log, with 499, and nothing of what it sent', async () => {
    const { headers } = await server.newPartner();
    const locker = await server.owner.connect();
    const { rows } = await locker
      .query(`begin; lock table ledger.account in access exclusive mode`)
      .then(() => locker.query<{ pid: number }>('select pg_backend_pid() as pid'));
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const sent = Object.entries({ host: 'x', 'x-request-id': 'gone', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`GET /v2/partner/float?secret=planted HTTP/1.1\r\n${sent.join('\r\n')}\r\n\r\n`);
    await eventually(async () => expect(await waitersFor(server.owner, rows[0]?.pid ?? 0)).toBe(1));
    socket.destroy();
    const line = () => lines().find(({ requestId, route }) => requestId === 'gone' && route !== undefined);
    await eventually(() => expect(line()).toBeDefined());
    await locker.query('rollback');
    locker.release();
    expect(line()).toMatchObject({
      level: 30,
      msg: 'the client hung up before the answer',
      method: 'GET',
      route: '/v2/partner/float',
      status: 499,
      durationMs: expect.any(Number),
      principal: expect.stringMatching(/^partner:/),
    });
    expect(JSON.stringify(line())).not.toMatch(/planted|sk_sandbox/);
    expect(lines().filter(({ requestId, route }) => requestId === 'gone' && route !== undefined)).toHaveLength(1);
  });
});

describe('requests sent before the answers', () => {
  const server = useApp();
  let port = 0;
  beforeAll(async () => {
    port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
  });

  /** Writes so many requests at once on one connection. Resolves to what came back until it was ended, or `answers` had come. */
  async function pipelined(requests: number, path: string, answers: number): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // it may be ended while we write
    let received = '';
    socket.on('data', (part) => {
      received += part.toString();
      if (received.split('HTTP/1.1 200').length > answers) socket.end();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(requests));
    await once(socket, 'close');
    return received;
  }

  it('a few requests that are sent before the answers are all answered', async () => {
    expect((await pipelined(20, '/health/live', 20)).split('HTTP/1.1 200')).toHaveLength(21);
  });

  it('a connection that sends hundreds without waiting for answers is ended, and the log says so', async () => {
    const answered = (await pipelined(500, '/v2/openapi.json', 500)).split('HTTP/1.1 200').length - 1;
    expect(answered).toBeLessThan(100);
    expect(server.logged).toContain('too many requests on one connection');
    expect((await server.call('GET', '/health/live')).statusCode).toBe(200);
  });
});

describe('the operator’s surface on the main port', () => {
  const server = useApp();

  it.each(['/operator/v1/partners', '/%6Fperator/v1/partners', 'http://localhost/operator/v1/partners'])(
    'the operator API answers at %s of a port that it shares',
    async (path) => {
      if (!server.app.server.listening) await server.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = server.app.server.address() as { port: number };
      const asked = request({ port, path, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect([answer.statusCode, await json(answer)]).toEqual([
        200,
        expect.objectContaining({ items: expect.any(Array) }),
      ]);
    },
  );
});

describe('the limit of calls', () => {
  const PER_S = 4;
  const MANY = 15 * PER_S;
  const server = useApp({ RATE_LIMIT_CALLS_PER_S: String(PER_S) });
  beforeAll(() => server.clock.stop());

  const flood = (url: string, headers: Record<string, string>) =>
    Promise.all(Array.from({ length: MANY }, () => server.call('GET', url, { headers })));

  describe('calls of one credential in a second', () => {
    it('are refused beyond the limit, and another credential’s are not', async () => {
      const [partner, other] = [await server.newPartner(), await server.newPartner()];
      const answers = await flood('/v2/partner/float', partner.headers);
      const refused = answers.filter(({ statusCode }) => statusCode === 429);
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(PER_S);
      expect(refused).toHaveLength(MANY - PER_S);
      expect(refused[0]?.json()).toMatchObject({ success: false, errorCode: 'TOO_MANY_REQUESTS' });
      expect(refused[0]?.headers['retry-after']).toBe('1');
      expect((await server.call('GET', '/v2/partner/float', { headers: other.headers })).statusCode).toBe(200);
      server.clock.advance(1000);
      expect((await server.call('GET', '/v2/partner/float', { headers: partner.headers })).statusCode).toBe(200);
    });

    it('are counted for the operator as well', async () => {
      const answers = await flood('/operator/v1/deliveries', { authorization: `Bearer ${OPERATOR_TOKEN}` });
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 429]));
      server.clock.advance(1000);
    });

    it('are not counted for a wrong key: guessing cannot use up a partner’s limit', async () => {
      const partner = await server.newPartner();
      const wrong = await flood('/v2/partner/float', { ...partner.headers, 'x-api-key': 'sk_sandbox_wrong' });
      expect(new Set(wrong.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
      expect((await server.call('GET', '/v2/partner/float', { headers: partner.headers })).statusCode).toBe(200);
    });
  });
});

describe('the end of a server', () => {
  const server = useApp();

  it('ends connections with the answers to what was under way and to what still comes, once the process is about to end, and keeps them before', async () => {
    const drain = createDrain();
    const app = newServer({ ...server.resources, drain });
    const entered = Promise.withResolvers<void>();
    const closing = Promise.withResolvers<void>();
    app.addHook('preClose', async () => closing.resolve());
    app.get('/quick', async () => 'ok');
    app.get('/slow', async () => {
      entered.resolve();
      await closing.promise;
      return 'ok';
    });
    const origin = await app.listen({ port: 0, host: '127.0.0.1' });
    const quick = await fetch(`${origin}/quick`);
    expect([await quick.text(), quick.headers.get('connection')]).toEqual(['ok', 'keep-alive']);
    const slow = fetch(`${origin}/slow`);
    await entered.promise;
    drain.begin();
    const late = await fetch(`${origin}/quick`);
    expect([await late.text(), late.headers.get('connection')]).toEqual(['ok', 'close']);
    const closed = app.close();
    const answer = await slow;
    expect([await answer.text(), answer.headers.get('connection')]).toEqual(['ok', 'close']);
    await closed;
  });

  it('ends though somebody has sent half a request', async () => {
    const app = Fastify();
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    const accepted = once(app.server, 'connection');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n');
    await accepted;
    const ended = once(socket, 'close');
    socket.resume();
    await closeServers([app], 50);
    await ended;
    expect(app.server.listening).toBe(false);
  });
});
