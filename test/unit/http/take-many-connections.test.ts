import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { takeManyConnections } from '../../../src/http/take-many-connections.ts';
import { isListening } from '../../support/port.ts';

const HOST = '127.0.0.1';
const CALLERS = 64;
/** As many as a system can have. */
const SOCKETS = process.platform === 'linux' ? 16 : 1;

const opened: { close(): unknown }[] = [];
function newApp() {
  const app = Fastify({ return503OnClosing: false });
  takeManyConnections(app, SOCKETS);
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
