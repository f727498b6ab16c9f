import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { newOperator, operateAs } from '../support/operators.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { refusalOf } from '../support/refusals.ts';

const server = useApp({ TRUSTED_PROXIES: '127.0.0.1' });
const other = useApp({}, server);
const DAY_MS = 24 * 3_600_000;
const wrong = (guess: number) => `op_sandbox_${String(guess).padStart(43, '0')}`;

const from = (address: string, token: string, process = server) =>
  process.call('GET', '/operator/v1/partners', {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  });

it('V6.3.1: two thousand wrong tokens from one address: ten are looked at in a minute, the others are 429', async () => {
  server.clock.stop(); // within one minute, on a machine of whatever speed
  const answers: Awaited<ReturnType<typeof from>>[] = [];
  while (answers.length < 2_000) {
    const first = answers.length;
    const burst = Array.from({ length: 200 }, (_, guess) => from('198.51.100.7', wrong(first + guess)));
    answers.push(...(await Promise.all(burst)));
  }
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1_990);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  server.clock.advance(60_000);
  expect(refusalOf(await from('198.51.100.7', wrong(1)))).toEqual([401, 'INVALID_CREDENTIALS']);
});

it('V6.3.1: several processes share the count, and no address pays for another', async () => {
  const guess = (process: typeof server, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, one) =>
        process.call('GET', '/operator/v1/partners', { headers: { authorization: `Bearer ${wrong(one)}` } }),
      ),
    );
  await guess(server, 6);
  const answers = await guess(other, 6);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
  expect((await from('198.51.100.8', wrong(0))).statusCode).toBe(401);
});

it('V6.3.1: who guesses behind the same proxy does not lock an operator out', async () => {
  const { token } = await newOperator(server, 'viewer');
  await Promise.all(Array.from({ length: 30 }, (_, guess) => from('198.51.100.9', wrong(guess))));
  expect((await from('198.51.100.9', wrong(0))).statusCode).toBe(429);
  expect((await from('198.51.100.9', token)).statusCode).toBe(200);
  expect((await from('198.51.100.9', OPERATOR_TOKEN)).statusCode).toBe(200);
});

it('V7.3.2: a token ends after 90 days, and says so', async () => {
  const { token, operate } = await newOperator(server, 'viewer');
  server.clock.advance(90 * DAY_MS - 3_600_000);
  expect((await operate('GET', '/partners')).statusCode).toBe(200);
  server.clock.advance(3_600_000);
  const answer = await operateAs(server, token)('GET', '/partners');
  expect(refusalOf(answer)).toEqual([401, 'INVALID_CREDENTIALS']);
  expect(answer.json().message).toContain('expired');
});

it('V9.2.3: a token of another environment is refused, and says which', async () => {
  const { token } = await newOperator(server, 'admin');
  const answer = await operateAs(server, token.replace('op_sandbox_', 'op_live_'))('GET', '/partners');
  expect(refusalOf(answer)).toEqual([401, 'KEY_ENVIRONMENT_MISMATCH']);
  expect(answer.json().message).toContain('live');
});

it('V8.2.2: one operator’s Idempotency-Key does not show another’s answer', async () => {
  const operators = [await newOperator(server, 'admin'), await newOperator(server, 'admin')];
  const create = (token: string) =>
    server.call('POST', '/operator/v1/partners', {
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'monday' },
      payload: { name: 'Acme', redirectUrl: 'https://acme.example/callback' },
    });
  const answers = [];
  for (const { token } of operators) answers.push(await create(token));
  const ids = answers.map((answer) => answer.json<{ id: string }>().id);
  expect(new Set(ids).size).toBe(2);
  for (const answer of answers) expect(answer.headers['idempotency-replayed']).toBeUndefined();
});

it('V16.2.5: a token stands in no log, right or wrong', async () => {
  const { token, operate } = await newOperator(server, 'viewer');
  await operate('GET', '/partners');
  await from('198.51.100.10', `${token}x`);
  expect(server.logged).not.toContain(token);
});
