import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { createAcceptQueue } from '../../../src/http/accept-queue.ts';
import { takeManyConnections } from '../../../src/http/take-many-connections.ts';
import { isListening, ownPort } from '../../support/port.ts';

const HOST = '127.0.0.1';
const CALLERS = 64;
/** As many as a system can have. */
const SOCKETS = process.platform === 'linux' ? 16 : 1;

const opened: { close(): unknown }[] = [];
function newApp() {
  const app = Fastify({ return503OnClosing: false });
  takeManyConnections(app, createAcceptQueue(), SOCKETS);
  opened.push(app);
  return app;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Connections that are open, or were refused. */
const connectMany = (port: number, count: number): Socket[] =>
  Array.from({ length: count }, () => connect(port, HOST).on('error', () => {}));

it('takes many connections in a turn of the event loop', async () => {
  const app = newApp();
  const port = await app.listenOn({ host: HOST, port: 0 });
  const taken: Socket[] = [];
  app.server.on('connection', (socket) => taken.push(socket));
  const sockets = connectMany(port, CALLERS);
  let turns = 0;
  for (; taken.length < CALLERS; turns += 1) await setImmediate();
  expect(turns).toBeLessThan(SOCKETS === 1 ? 2 * CALLERS : CALLERS / 2); // with one socket, one is taken in each

  for (const socket of sockets) socket.destroy();
});

it('answers on each of its sockets, ends what is under way when it closes, and listens no more', async () => {
  const app = newApp();
  const answers = Promise.withResolvers<void>();
  const asked: string[] = [];
  app.get('/', async ({ id }) => {
    asked.push(id);
    await answers.promise;
    return 'done';
  });
  const port = await app.listenOn({ host: HOST, port: 0 });
  const sockets = connectMany(port, CALLERS);
  const received = sockets.map(async (socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    await once(socket, 'close');
    return text;
  });
  while (asked.length < CALLERS) await setImmediate();
  const closed = app.close();
  while (await isListening(port)) await setImmediate();
  answers.resolve();
  for (const text of await Promise.all(received)) expect(text).toMatch(/^HTTP\/1\.1 200 OK[^]*done$/);
  await closed;
});

it('does not share its port with another server of the same user', async () => {
  const port = await newApp().listenOn({ host: HOST, port: 0 });
  await expect(newApp().listenOn({ host: HOST, port })).rejects.toThrow('EADDRINUSE');
});

it('closes what its requests need after the last of them, whichever of its sockets they came by', async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    const app = newApp();
    const asked = Promise.withResolvers<void>();
    const answers = Promise.withResolvers<void>();
    let isClosed = false;
    app.addHook('onClose', () => void (isClosed = true));
    app.get('/', async () => {
      asked.resolve();
      await answers.promise;
      return isClosed ? 'too late' : 'in time';
    });
    const port = await app.listenOn({ host: HOST, port: 0 });
    const answered = fetch(`http://${HOST}:${port}/`, { headers: { connection: 'close' } });
    await asked.promise;
    const closed = app.close();
    while (await isListening(port)) await setImmediate();
    answers.resolve();
    expect(await (await answered).text()).toBe('in time');
    await closed;
    expect(isClosed).toBe(true);
  }
});

it('does not share its port with one that begins at the same moment, and leaves it to the next', async () => {
  const port = await ownPort();
  const [first, second] = [newApp(), newApp()];
  first.register(() => setTimeout(50)); // after it has looked at the port, and before it has it
  const listens = [first.listenOn({ host: HOST, port })];
  for (let turn = 0; turn < 8; turn += 1) await setImmediate();
  listens.push(second.listenOn({ host: HOST, port }));
  const outcomes = await Promise.allSettled(listens);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: port },
    { status: 'rejected', reason: expect.objectContaining({ code: 'EADDRINUSE' }) },
  ]);
  await Promise.all([first.close(), second.close()]);
  expect(await newApp().listenOn({ host: HOST, port })).toBe(port);
});

it('has all of its sockets on the port that a URL need not name', async () => {
  const app = newApp();
  const port = await app.listenOn({ host: HOST, port: 80 }).catch(({ code }: NodeJS.ErrnoException) => code);
  expect([80, 'EACCES', 'EADDRINUSE']).toContain(port); // where only root may have it, or somebody has
});

it('listens no more when it is closed while it begins to', async () => {
  const app = newApp();
  const closed = once(app.server, 'listening').then(() => app.close());
  const port = await app.listenOn({ host: HOST, port: 0 });
  await closed;
  expect(await isListening(port)).toBe(false);
});
