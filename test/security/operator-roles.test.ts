import { beforeAll, expect, it } from 'vitest';
import { type Role, roles } from '#modules/operators';
import { memberPermissions, permissions } from '../../src/routes/operator/permissions.ts';
import { useSharedApp } from '../support/app.ts';
import { auditOf } from '../support/audit.ts';
import { actOn, customerIdOf } from '../support/customers.ts';
import { type Described, operationsOf, readDocument } from '../support/described.ts';
import { requestOf } from '../support/described-requests.ts';
import { newOperator, type TestOperator } from '../support/operators.ts';
import { refusalOf } from '../support/refusals.ts';
import { kycWallet, loggedIn } from '../support/wallets.ts';

const server = useSharedApp();
const PREFIX = '/operator/v1';
/** Everybody may do these, to themselves: their own tests tell. */
const TO_ONESELF = ['POST /operators/:id/rotate'];

const operators: Partial<Record<Role, TestOperator>> = {};
let operations: Described[] = [];
beforeAll(async () => {
  for (const role of roles) operators[role] = await newOperator(server, role);
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
  const bearers = { operator: operators[role]?.token ?? '' };
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
    operators[role]?.operate('PATCH', `/wallets/${wallet}`, { ...body, reason: 'a complaint' });
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
    ...Array<string | undefined>(3).fill(operators.admin?.actor),
    operators.support?.actor,
  ]);
});

it('V8.2.3: a status of a frozen customer’s wallet is for an admin', async () => {
  const ada = await loggedIn(server, await server.newPartner());
  await actOn(server, await customerIdOf(server, ada.paytag), 'freeze');
  const change = { status: 'Enabled', reason: 'a complaint' };
  for (const role of ['support', 'finance'] as const) {
    const answer = await operators[role]?.operate('PATCH', `/wallets/${ada.wallet}`, change);
    expect(answer && refusalOf(answer)).toEqual([403, 'ROLE_REFUSED']);
  }
  const wallet = await server.operate('GET', `/wallets/${ada.wallet}`);
  expect(wallet.json()).toMatchObject({ status: 'PND' });
  expect((await operators.admin?.operate('PATCH', `/wallets/${ada.wallet}`, change))?.statusCode).toBe(200);
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
