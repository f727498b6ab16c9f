import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createDrain } from '#http/drain.ts';
import { newServer } from '#http/new-server.ts';
import { boundsOf, createAdmission, type Task } from '#lib/admission.ts';
import { useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const PLACES = 16;
const server = useApp();

/** A server by whose admission there was too much a moment ago, at which the clock stands still: all places are free. */
async function openAfterTooMuch() {
  const clock = { ms: 0 };
  const admission = createAdmission(boundsOf(PLACES), { now: () => clock.ms });
  const running: Task[] = [];
  for (let n = 0; n < 2 * PLACES; n++) {
    const task: Task = { caller: `caller ${n}`, isSheddable: false, decide: (mayRun) => mayRun && running.push(task) };
    admission.enter(task);
  }
  clock.ms += 200;
  expect(admission.isTooMuch).toBe(true);
  for (const task of running) admission.leave(task);

  const app = newServer({ ...server.resources, admission, drain: createDrain() });
  app.get('/here', async () => 'here');
  onTestFinished(() => app.close());
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  return { clock, port: Number(port) };
}

/** Asks on connections of before, while this process, and so the server, stands still for so long. @returns the statuses of the answers */
async function askDuring(standstillMs: number, port: number, count: number): Promise<string[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  const answers: string[] = sockets.map(() => '');
  sockets.forEach((socket, n) =>
    socket.setEncoding('latin1').on('data', (part: string) => (answers[n] = `${answers[n]}${part}`)),
  );
  for (const socket of sockets) socket.write('GET /here HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually(() => expect(answers.every((answer) => answer.includes('HTTP/1.1'))).toBe(true));
  answers.fill('');
  for (const socket of sockets) socket.write('GET /here HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const until = performance.now() + standstillMs;
  while (performance.now() < until);
  await Promise.all(sockets.map((socket) => once(socket, 'close')));
  return answers.map((answer) => answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
}

const LATE_MS = 60;

it('refuses most of what it read late after there was too much, though there are places', async () => {
  const { port } = await openAfterTooMuch();
  const answers = await askDuring(LATE_MS, port, 16);
  expect(answers.toSorted()).toEqual([...Array(2).fill('200'), ...Array(14).fill('503')]);
});

it('answers all of it once there was a place for a while', async () => {
  const { clock, port } = await openAfterTooMuch();
  clock.ms += 200;
  expect(await askDuring(LATE_MS, port, 16)).toEqual(Array(16).fill('200'));
});
