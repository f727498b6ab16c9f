import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';

const STALL_MAX_S = 3;

/** Has a server stand still before it answers a request that says how, and from SIGUSR2 on. */
const STALLING = `
  import { pbkdf2Sync } from 'node:crypto';
  import { ServerResponse } from 'node:http';
  const stalls = {
    loop() { for (;;); },
    expression() { /^(a+)+$/.test('a'.repeat(64) + 'b'); },
    native() { pbkdf2Sync('a', 'a', 2 ** 31 - 1, 64, 'sha512'); },
  };
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (...given) {
    stalls[this.req.headers['x-stall']]?.();
    return writeHead.apply(this, given);
  };
  process.on('SIGUSR2', stalls.loop);
`;
const flags = [`--import=data:text/javascript,${encodeURIComponent(STALLING)}`];

const database = useDatabase();
let server: ServerProcess | undefined;
afterEach(() => server?.kill('SIGKILL'));

const start = async (role: 'all' | 'api' | 'worker') =>
  (server = await startServer(
    { ...serverEnv(database.url), ROLE: role, EVENT_LOOP_STALL_MAX_S: String(STALL_MAX_S) },
    { flags },
  ));

/** What the log says last. */
const lastWords = ({ stdout }: ServerProcess) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
const said = `the event loop was blocked for ${STALL_MAX_S} s: the process ends`;

it.each(['loop', 'expression'])(
  'ends when a request keeps its event loop (%s), and says which and where',
  async (how) => {
    const stalling = await start('api');
    const headers = { 'x-stall': how, 'x-request-id': 'the-one' };
    const answer = request(`${stalling.url}/v2/partner/wallet/none`, { headers }).catch((error: Error) => error);
    expect(await stalling.end).toBe(1);
    expect(await answer).toBeInstanceOf(Error);
    expect(lastWords(stalling)).toMatchObject({
      level: 'fatal',
      msg: said,
      underWay: [{ method: 'GET', route: '/v2/partner/wallet/:reference', requestId: 'the-one' }],
    });
    expect(lastWords(stalling).stack[0]).toMatch(new RegExp(`^${how} `));
  },
);

it('ends when native code keeps its event loop, by what nothing withstands', async () => {
  const stalling = await start('all');
  const headers = { 'x-stall': 'native' };
  const answer = request(`${stalling.url}/v2/partner/wallet/none`, { headers }).catch((error: Error) => error);
  await stalling.end;
  expect(stalling.child.signalCode).toBe('SIGKILL');
  expect(await answer).toBeInstanceOf(Error);
  expect(lastWords(stalling)).toMatchObject({ msg: said });
});

it('as a worker too, also when it was told to end and cannot hear it', async () => {
  const stalling = await start('worker');
  stalling.child.kill('SIGUSR2');
  expect(await stalling.kill('SIGTERM')).toBe(1);
  expect(lastWords(stalling)).toMatchObject({ msg: said });
});

it('goes on after it was stopped as a whole for longer than that', async () => {
  const stopped = await start('all');
  stopped.child.kill('SIGSTOP');
  await setTimeout(3 * STALL_MAX_S * 1_000); // time itself is what it is about
  stopped.child.kill('SIGCONT');
  const since = performance.now();
  await eventually(async () => {
    const { statusCode, body } = await request(`${stopped.url}/health/live`);
    await body.dump();
    expect(statusCode).toBe(200);
    expect(performance.now() - since).toBeGreaterThan(2 * STALL_MAX_S * 1_000);
  });
  expect(await stopped.stop()).toBe(0);
});
