import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import Fastify from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeServers, createDrain } from '#http/drain.ts';
import { answerLate, pathOf } from '#http/late-app.ts';
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
      msg: 'the client hung up before its answer',
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

describe('an app that is loaded late', () => {
  const server = useApp();

  /** A server whose paths under /late are answered by an app that is made when they are asked for. */
  async function newFront(make: () => Promise<void> = async () => {}) {
    let count = 0;
    const done: unknown[] = [];
    const app = newServer(server.resources);
    app.get('/here', async () => ({ at: 'here' }));
    answerLate(app, server.resources, {
      isIts: (path) => path.startsWith('/late/'),
      make: async () => {
        count += 1;
        await make();
        const late = newServer(server.resources);
        late.get('/late/:name', async ({ params }) => params);
        late.post('/late/:name', async ({ params }) => {
          done.push(params);
          return params;
        });
        await late.ready();
        return late;
      },
    });
    onTestFinished(() => app.close());
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const get = async (path: string, method = 'GET') => {
      const asked = request({ port, path, method, headers: { 'x-request-id': 'of-the-test' } }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return { status: answer.statusCode, headers: answer.headers, body: await json(answer) };
    };
    return { app, port, get, done, made: () => count };
  }

  describe('an app that is made late', () => {
    it('is made once, for all who ask before it is there, and nobody else waits for it', async () => {
      const gate = Promise.withResolvers<void>();
      const front = await newFront(() => gate.promise);
      expect([(await front.get('/here')).body, front.made()]).toEqual([{ at: 'here' }, 0]);
      const asked = [front.get('/late/one?a=b'), front.get('/late/two')];
      expect((await front.get('/here')).body).toEqual({ at: 'here' });
      gate.resolve();
      expect((await Promise.all(asked)).map(({ body }) => body)).toEqual([{ name: 'one' }, { name: 'two' }]);
      expect((await front.get('/late/three')).headers['x-request-id']).toBe('of-the-test');
      expect(front.made()).toBe(1);
    });

    it('does not serve who has hung up while it was made, and says so', async () => {
      const gate = Promise.withResolvers<void>();
      const front = await newFront(() => gate.promise);
      const arrived = once(front.app.server, 'request');
      const gone = request({
        port: front.port,
        path: '/late/gone',
        method: 'POST',
        headers: { 'x-request-id': 'gone' },
      });
      gone.on('error', () => undefined).end();
      const [, response] = (await arrived) as [IncomingMessage, ServerResponse];
      await eventually(() => expect(front.made()).toBe(1)); // it is there, and its request is handed over
      gone.destroy();
      await once(response, 'close');
      gate.resolve();
      await front.get('/late/one');
      expect(front.done).toEqual([]);
      expect(server.logged).toMatch(/"requestId":"gone","method":"POST","status":499/);
    });

    it('refuses with 503 in the one shape when it cannot be made, and is made by a later request', async () => {
      let isBroken = true;
      const front = await newFront(async () => {
        if (isBroken) throw new Error('no more files can be opened');
      });
      const refused = await front.get('/late/one');
      expect([refused.status, refused.headers['retry-after'], refused.headers['x-request-id']]).toEqual([
        503,
        '1',
        'of-the-test',
      ]);
      expect(refused.body).toMatchObject({ success: false, errorCode: 'BUSY', requestId: 'of-the-test' });
      expect(server.logged).toContain('no more files can be opened');
      expect(server.logged).toMatch(/"requestId":"of-the-test","method":"GET","status":503/);
      isBroken = false;
      await front.get('/late/one');
      expect(front.made()).toBe(1);
      await eventually(async () => expect((await front.get('/late/one')).status).toBe(200));
      expect(front.made()).toBe(2);
    });

    it('refuses what it does not have as every server does', async () => {
      const front = await newFront();
      const [unknown, method] = [await front.get('/late/a/b'), await front.get('/late/one', 'DELETE')];
      expect([unknown.status, unknown.body]).toEqual([404, expect.objectContaining({ errorCode: 'ROUTE_NOT_FOUND' })]);
      expect([method.status, method.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    });

    it('ends with the server that hands requests to it', async () => {
      const front = await newFront();
      const late = await front.app.appAt('/late/one');
      expect([late === front.app, await front.app.appAt('/here')]).toEqual([false, front.app]);
      await front.app.close();
      await expect(late.inject('/late/one')).rejects.toThrow('closed');
    });
  });

  it('the path of a URL is what the router reads: with a host before it, encoded, with a query', () => {
    const paths = [
      '/console',
      '/console?next=/a',
      '/console#top',
      '/%63onsole/x',
      'http://localhost:3000/console/x?a',
      '/%zz',
      undefined,
    ];
    expect(paths.map(pathOf)).toEqual(['/console', '/console', '/console', '/console/x', '/console/x', '/%zz', '/']);
  });

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
