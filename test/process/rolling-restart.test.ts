import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repetitions } from '../support/cases.ts';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { startReadinessProxy } from './command-host.ts';

const RESTARTS = repetitions({ short: 2, soak: 100 });
const CALLERS = repetitions({ short: 2, soak: 4 });
/** Between two calls of one of them. */
const PAUSE_MS = repetitions({ short: 25, soak: 0 });
/** The proxy asks twenty times a second: this is for a machine that is busy with other tests. */
const DELAY_S = 2;
/** No promise: it ends what hangs. */
const TIMEOUT_MS = 300_000 + RESTARTS * 30_000;

const database = useDatabase();
const env = () => ({ ...serverEnv(database.url), ROLE: 'api', SHUTDOWN_DELAY_S: String(DELAY_S), LOG_LEVEL: 'warn' });
const servers: ServerProcess[] = [];
beforeAll(async () => {
  while (servers.length < 2) servers.push(await startServer(env()));
});
afterAll(() => Promise.all(servers.map((server) => server.kill('SIGKILL'))));

const serverAt = (at: number): ServerProcess => {
  const server = servers[at % servers.length];
  if (server === undefined) throw new Error('there are two servers');
  return server;
};

it(
  'two processes behind a proxy that follows readiness are restarted in turn under load, and no request fails',
  async () => {
    const proxy = await startReadinessProxy(servers.map(({ url }) => url));
    const call = clientOf(proxy.url);
    const { headers } = await remotePartner(call, { name: 'Shop', float: 1_000_000 });
    const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    const { body: wallet } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json });
    const path = `/v2/partner/wallet/${wallet.Reference}`;
    const failures: unknown[] = [];
    let credits = 0;
    const enough = new AbortController();
    const caller = async (name: number): Promise<void> => {
      for (let at = 0; !enough.signal.aborted; at += 1) {
        const credit = { headers, json: { amount: 1, reference: `${name}-${at}` } };
        const sent = [call('POST', `${path}/credit`, credit), call('GET', path, { headers })];
        for (const [number, end] of (await Promise.allSettled(sent)).entries()) {
          const { status, text } = end.status === 'fulfilled' ? end.value : { status: 0, text: String(end.reason) };
          if (status !== 200) failures.push({ status, text });
          else if (number === 0) credits += 1;
        }
        await sleep(PAUSE_MS);
      }
    };
    const calling = Array.from({ length: CALLERS }, (_, name) => caller(name));
    const codes: (number | null)[] = [];
    for (let at = 0; at < RESTARTS; at += 1) {
      const old = serverAt(at);
      codes.push(await old.stop());
      servers[at % servers.length] = await startServer(env(), { port: old.port });
      await eventually(() => expect(proxy.sendsTo(old.url)).toBe(true)); // only then the other one's turn comes
    }
    enough.abort();
    await Promise.all(calling);
    const { body } = await call<{ Wallet: { TotalAmount: number } }>('GET', path, { headers });
    await proxy.close();
    expect(failures.slice(0, 5)).toEqual([]);
    expect(codes).toEqual(codes.map(() => 0));
    expect(credits).toBeGreaterThan(RESTARTS * CALLERS);
    expect(body.Wallet.TotalAmount).toBe(credits);
  },
  TIMEOUT_MS,
);

it('a process that is to end says so by readiness at once, and serves those who come all the same until its delay is over', async () => {
  const server = serverAt(0);
  const ended = server.stop();
  await eventually(async () => {
    const ready = await fetch(`${server.url}/health/ready`);
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
  });
  const late = await fetch(`${server.url}/health/live`);
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  expect(await ended).toBe(0);
  await expect(fetch(`${server.url}/health/live`)).rejects.toThrow('fetch failed');
});

it('a second signal ends it at once', async () => {
  const server = serverAt(1);
  server.child.kill('SIGTERM');
  await eventually(() => {
    server.child.kill('SIGINT');
    expect(server.child.exitCode).not.toBeNull();
  });
  expect(server.child.exitCode).toBe(1);
  expect(server.stdout).toContain('server.killed');
});
