import { beforeAll, expect, it } from 'vitest';
import { sha256 } from '#lib/crypto/digest.ts';
import { type Role, roles } from '#modules/operators';
import { memberPermissions, permissions } from '../../../src/routes/operator/permissions.ts';
import { useApp } from '../../support/app.ts';
import { actOn, customerIdOf } from '../../support/customers.ts';
import { type Described, operationsOf, readDocument, requestOf } from '../../support/described.ts';
import { auditOf, newOperator, operateAs, type TestOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { refusalOf } from '../../support/refusals.ts';
import { another } from '../../support/tags.ts';
import { kycWallet, loggedIn } from '../../support/wallets.ts';

const server = useApp({ TRUSTED_PROXIES: '127.0.0.1' });
const PREFIX = '/operator/v1';
/** Everybody may do these, to themselves: their own tests tell. */
const TO_ONESELF = ['POST /operators/:id/rotate'];

const byRole: Partial<Record<Role, TestOperator>> = {};
let operations: Described[] = [];

beforeAll(async () => {
  for (const role of roles) byRole[role] = await newOperator(server, role);
  operations = operationsOf(await readDocument(server, `${PREFIX}/openapi.json`));
});

const nameOf = ({ method, path }: Described): string =>
  `${method} ${path.slice(PREFIX.length).replaceAll(/\{(\w+)\}/g, ':$1')}`;

/** Of the operation and of the members that are sent, what asks for most. */
function leastRole(name: string, payload = '{}'): Role {
  const members = Object.keys(JSON.parse(payload) as object).map((member) => memberPermissions[name]?.[member]);
  const asked = [permissions[name], ...members].map((role) => roles.indexOf(role ?? 'viewer'));
  return roles[Math.max(...asked)] ?? 'admin';
}

it('the table has a line for each operation, and no other', () => {
  const lines = Object.keys(permissions).filter((name) => name !== 'GET /openapi.json');
  expect(lines.toSorted()).toEqual(operations.map(nameOf).toSorted());
  expect(lines.length).toBeGreaterThan(50);
});

it.each(roles)('V8.2.1: a %s may do what the table says, and is refused the rest', async (role) => {
  const bearers = { operator: byRole[role]?.token ?? '' };
  const outcomes = [];
  for (const described of operations.filter((one) => !TO_ONESELF.includes(nameOf(one)))) {
    const { method, url, headers, payload } = requestOf(described, { headers: {}, bearers });
    const answer = await server.call(method, url, { headers, ...(payload === undefined ? {} : { payload }) });
    const isRefused = answer.statusCode === 403 && answer.json<{ errorCode: string }>().errorCode === 'ROLE_REFUSED';
    const needs = leastRole(nameOf(described), payload);
    outcomes.push({ name: nameOf(described), needs, isRefused });
    expect(answer.statusCode).not.toBe(401);
  }
  const mine = roles.indexOf(role);
  expect(outcomes.filter(({ needs, isRefused }) => isRefused !== roles.indexOf(needs) > mine)).toEqual([]);
});

it('V8.2.3: support may freeze a wallet, and its limits are for an admin', async () => {
  const wallet = await kycWallet(server, await server.newPartner());
  const change = (role: Role, body: object) =>
    byRole[role]?.operate('PATCH', `/wallets/${wallet}`, { ...body, reason: 'a complaint' });
  for (const body of [{ dailyLimit: 1 }, { tier: 3 }, { dailyLimit: null, status: 'PND' }]) {
    for (const role of ['support', 'finance'] as const) {
      const answer = await change(role, body);
      expect(answer && refusalOf(answer)).toEqual([403, 'ROLE_REFUSED']);
    }
    expect((await change('admin', body))?.statusCode).toBe(200);
  }
  expect((await change('support', { status: 'Enabled' }))?.statusCode).toBe(200);
  const entries = await auditOf(server, wallet);
  expect(entries.map(({ actor }) => actor)).toEqual([
    ...Array<string | undefined>(3).fill(byRole.admin?.actor),
    byRole.support?.actor,
  ]);
});

it('V8.2.3: a status of a frozen customer’s wallet is for an admin', async () => {
  const ada = await loggedIn(server, await server.newPartner());
  await actOn(server, await customerIdOf(server, ada.paytag), 'freeze');
  const change = { status: 'Enabled', reason: 'a complaint' };
  for (const role of ['support', 'finance'] as const) {
    const answer = await byRole[role]?.operate('PATCH', `/wallets/${ada.wallet}`, change);
    expect(answer && refusalOf(answer)).toEqual([403, 'ROLE_REFUSED']);
  }
  const wallet = await server.operate('GET', `/wallets/${ada.wallet}`);
  expect(wallet.json()).toMatchObject({ status: 'PND' });
  expect((await byRole.admin?.operate('PATCH', `/wallets/${ada.wallet}`, change))?.statusCode).toBe(200);
});

it('every operation says in its description which role it asks for', () => {
  const said = operations.map((described) => [
    nameOf(described),
    /role `(\w+)`/.exec((described.operation as { description?: string }).description ?? '')?.[1],
  ]);
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(Object.entries(permissions).filter(([name]) => name !== 'GET /openapi.json')),
  );
});

/** As whoever has the login of the server at the database, and nothing else of it. */
const write = (statement: string, values: unknown[]) => server.resources.pool.query(statement, values);
const me = async (token: string) => refusalOf(await operateAs(server, token)('GET', '/operators/me'));

it('V13.2.2: the server’s login at the database makes no operator', async () => {
  const token = `op_sandbox_${'Evil'.padEnd(43, 'x1')}`;
  const made = await write(
    `insert into operators.operator (name, role, status, token_digest, token_expires_at, created_at, updated_at)
      values ($1, 'admin', 'ACTIVE', $2, now() + interval '9000 days', now(), now())`,
    [another('Insider '), sha256(token)],
  );
  expect(made.rowCount).toBe(1);
  expect(await me(token)).toEqual([401, 'INVALID_CREDENTIALS']);
});

it.each([
  ['raises no role', `role = 'admin'`],
  ['prolongs no token', `token_expires_at = token_expires_at + interval '1 day'`],
])('V13.2.2: the server’s login at the database %s', async (_what, change) => {
  const { id, token, operate } = await newOperator(server, 'viewer');
  expect((await operate('GET', '/operators/me')).statusCode).toBe(200);
  expect((await write(`update operators.operator set ${change} where id = $1`, [id])).rowCount).toBe(1);
  expect(await me(token)).toEqual([401, 'INVALID_CREDENTIALS']);
});

it('V13.2.2: it lets no disabled operator in, and takes over no token with one of its own', async () => {
  const gone = await newOperator(server, 'finance');
  // Nor does it put another name into the audit log.
  await expect(write(`update operators.operator set name = 'Ngozi'`, [])).rejects.toMatchObject({ code: '42501' });
  await server.operate('POST', `/operators/${gone.id}/disable`, { reason: 'left' });
  await write(`update operators.operator set status = 'ACTIVE' where id = $1`, [gone.id]);
  expect(await me(gone.token)).toEqual([401, 'INVALID_CREDENTIALS']);

  const [victim, viewer] = [await newOperator(server, 'admin'), await newOperator(server, 'viewer')];
  const own = `op_sandbox_${'Mine'.padEnd(43, 'y2')}`;
  await write('update operators.operator set token_digest = $2 where id = $1', [victim.id, sha256(own)]);
  await write(
    'update operators.operator set routing_mac = (select routing_mac from operators.operator where id = $2) where id = $1',
    [victim.id, viewer.id],
  );
  expect(await me(own)).toEqual([401, 'INVALID_CREDENTIALS']);
});

it('V13.2.2: what was written past the server is not made good by a change of it, and can be disabled', async () => {
  const { id } = await newOperator(server, 'viewer');
  await write(`update operators.operator set role = 'finance' where id = $1`, [id]);
  const conflict = [409, 'OPERATOR_STATUS_CONFLICT'];
  expect(refusalOf(await server.operate('POST', `/operators/${id}/rotate`, {}))).toEqual(conflict);
  const promotion = { role: 'admin', reason: 'promoted' };
  expect(refusalOf(await server.operate('PATCH', `/operators/${id}`, promotion))).toEqual(conflict);
  expect((await server.operate('POST', `/operators/${id}/disable`, { reason: 'forged' })).statusCode).toBe(200);
  expect(refusalOf(await server.operate('POST', `/operators/${id}/enable`, { reason: 'again' }))).toEqual(conflict);
});

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
