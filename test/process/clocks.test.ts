import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { repetitions } from '../support/cases.ts';
import { clientOf } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { ownPort, runToEnd, serverEnv, startProgram, startServer } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/served.ts';
import { newSide, offer, see } from '../support/switch.ts';

const DAY_MS = 86_400_000;
const TWINS = repetitions({ short: 40, soak: 200 });
const AT_ONCE = 10;
const AT_ANOTHER_TIME = ['--import', './test/process/another-time.ts'];

const app = useApp();
const env = () => serverEnv(app.resources.databaseUrl);
const server = { wrong: '', right: undefined as ServedHere | undefined };
let wrong: Awaited<ReturnType<typeof startProgram>>;
beforeAll(async () => {
  const port = String(await ownPort());
  wrong = await startProgram([...AT_ANOTHER_TIME, 'src/server.ts'], {
    ...env(),
    ROLE: 'api',
    PORT: port,
    CLOCK_AHEAD_MS: '90000',
  });
  server.wrong = `http://127.0.0.1:${port}`;
  server.right = await serveHere({ ...env(), ROLE: 'api' });
});
afterAll(() => Promise.all([wrong.kill('SIGKILL'), server.right?.stop()]));

it('a worker whose machine is 400 days ahead expires what has expired, and forgets and expires nothing else', async () => {
  const [from, to] = [await newSide(app), await newSide(app)];
  const [kept, over] = [await offer(app, from, to), await offer(app, from, to)];
  const passed = `update tag_transactions.tag_transaction set expires_at = now() - interval '1 second' where id = $1`;
  await app.owner.query(passed, [over.id]);
  await app.owner.query(
    `update webhooks.delivery set status = 'DELIVERED', attempts = 1, last_status_code = 200, last_duration_ms = 1, due_at = null,
       last_attempt_at = now(), delivered_at = now()`,
  );
  const whole = 'select id, body is not null as has_body from outbox.event order by id';
  const before = (await app.owner.query(whole)).rows;
  expect(before.length).toBeGreaterThan(1);

  const ahead = { CLOCK_AHEAD_MS: String(400 * DAY_MS) };
  const { code, stdout } = await runToEnd([...AT_ANOTHER_TIME, 'test/process/work-once.ts'], {
    ...env(),
    ...ahead,
    ROLE: 'worker',
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('the clock of this machine differs from the database’s')]);
  const states = await Promise.all([kept, over].map(async ({ id }) => (await see(app, from, id)).json().data.status));
  expect(states).toEqual(['AWAITING_ACCEPTANCE', 'EXPIRED']);
  const after = (await app.owner.query(whole)).rows;
  expect(after.slice(0, before.length)).toEqual(before);
});

it('two servers whose machines are 90 seconds apart run one of two twins with one Idempotency-Key, each time', async () => {
  const { headers } = await app.newPartner();
  const calls = [server.wrong, server.right?.url ?? ''].map(clientOf);
  await eventually(() => Promise.all(calls.map((call) => call('GET', '/health/live'))));
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  const made = new Set<string>();
  const twin = async (number: number): Promise<void> => {
    const sent = { headers: { ...headers, 'idempotency-key': `twin-${number}` }, json };
    const answers = await Promise.all(calls.map((call) => call('POST', '/v2/partner/wallet', sent)));
    const [first, ...others] = answers.filter(({ status }) => status === 200);
    if (first === undefined) throw new Error(JSON.stringify(answers));
    for (const answer of others) expect(answer.text).toBe(first.text);
    const refused = answers
      .filter(({ status }) => status !== 200)
      .map(({ status, body }) => [status, body['errorCode']]);
    expect(refused).toEqual(refused.map(() => [409, 'IDEMPOTENCY_KEY_IN_FLIGHT']));
    for (const call of calls) expect((await call('POST', '/v2/partner/wallet', sent)).text).toBe(first.text);
    made.add(String(first.body['Reference']));
  };
  for (let number = 0; number < TWINS; number += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => twin(number + at)));
  }
  const { body } = await clientOf(server.wrong)<{ count: number }>('GET', '/v2/partner/wallet?limit=1', { headers });
  expect([made.size, body.count]).toEqual([TWINS, TWINS]);
});

it('a server whose machine is more than a minute off does not become ready, and says why', async () => {
  const { status, text } = await clientOf(server.wrong)('GET', '/health/ready');
  expect([status, text]).toEqual([
    503,
    expect.stringContaining('the clock of this machine is 90 s ahead of the database’s'),
  ]);
  const { text: metrics } = await clientOf(server.wrong)('GET', '/metrics');
  expect(Number(/^paytag_clock_ahead_seconds (\S+)$/m.exec(metrics)?.[1])).toBeCloseTo(90, 0);
});

it('a server whose machine is 20 seconds off becomes ready and says so, and stays ready when its clock is set 90 seconds off', async () => {
  const off = { CLOCK_AHEAD_MS: '-20000', CLOCK_AHEAD_LATER_MS: '90000' };
  const early = await startServer({ ...env(), ROLE: 'api', ...off }, { flags: AT_ANOTHER_TIME });
  const readiness = async () => {
    const { status, body } = await clientOf(early.url)('GET', '/health/ready');
    expect([status, body['status']]).toEqual([200, 'ready']);
    return body['clock'];
  };
  const ofTheClock = () =>
    [...early.stdout.matchAll(/"aheadS":(-?[\d.]+),"msg":"the clock of this machine differs from the database’s/g)].map(
      ([, aheadS]) => Math.round(Number(aheadS)),
    );
  expect(await readiness()).toBe('the clock of this machine is 20 s behind the database’s: set it right');
  expect(ofTheClock()).toEqual([-20]);

  early.child.kill('SIGUSR2');
  await eventually(async () =>
    expect(await readiness()).toBe('the clock of this machine is 90 s ahead of the database’s: set it right'),
  );
  expect(await early.stop()).toBe(0);
});
