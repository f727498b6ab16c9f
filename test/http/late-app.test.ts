import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerLate, pathOf } from '#http/late-app.ts';
import { newServer } from '#http/new-server.ts';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';

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
    const gone = request({ port: front.port, path: '/late/gone', method: 'POST', headers: { 'x-request-id': 'gone' } });
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
