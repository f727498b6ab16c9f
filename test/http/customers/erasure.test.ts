import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sha256 } from '#lib/crypto/digest.ts';
import { loadDemo } from '../../../src/demo/load-demo.ts';
import { sealedColumns } from '../../../src/rooms.ts';
import { cleanUp } from '../../../src/worker/start-worker.ts';
import { type TestApp, useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { actOn, customerIdOf, paytagBody } from '../../support/customers.ts';
import { newDatabaseFolder } from '../../support/database.ts';
import {
  authCode,
  complete,
  createPayTag,
  exchange,
  logIn,
  newPerson,
  PASSWORD,
  startChange,
  startReset,
  startSession,
  validatedSession,
} from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { openAll } from '../../support/sealed.ts';
import { logInAt, moveMoney, pay } from '../../support/wallets.ts';

/** Every value of every table of ours, as text, with bytes also as the text they would be. */
async function everythingStored({ owner: pool }: Pick<TestApp, 'owner'>): Promise<string> {
  const { rows: tables } = await pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const dumps = await Promise.all(tables.map(({ name }) => pool.query(`select * from ${name}`)));
  const values = dumps.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)));
  expect(values.length).toBeGreaterThan(100);
  return values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))).join('\n');
}

const server = useApp();
const FIVE_YEARS_MS = 5 * 366 * 24 * 3_600_000;

/** Every value of every sealed column, opened. */
async function everythingSealed(): Promise<string[]> {
  const values: string[] = [];
  for (const where of sealedColumns) {
    const found = await openAll(server.owner, server.resources.keyring, where);
    for (const one of found) values.push(`${where.table}.${where.column}: ${one}`);
  }
  return values;
}

/** Every value of every table as text, but for the bodies of events, which are deleted after their time. */
async function everythingInTheClear(): Promise<string> {
  const { rows: tables } = await server.owner.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'outbox')`,
  );
  const dumps = await Promise.all(tables.map(({ name }) => server.owner.query(`select * from ${name}`)));
  return JSON.stringify(dumps.flatMap(({ rows }) => rows));
}

/** Somebody of whom something is kept in every room that keeps anything. */
async function somebodyKnownEverywhere() {
  const partner = await server.newPartner({ float: 100 });
  const person = {
    ...newPerson(),
    firstName: 'Chiamaka',
    lastName: 'Ogbuefi',
    dateOfBirth: '1987-03-29',
    address: '7 Forgotten Street',
    imageUrl: 'https://img.example/chiamaka.png',
  };
  await createPayTag(server, partner, { ...person, metadata: { note: 'forgotten-note' } } as typeof person);
  const session = await validatedSession(server, partner, person);
  await complete(server, partner, session, { paytag: person.paytag });
  const customer = await logInAt(server, partner, person, 10);
  const bola = await logInAt(server, partner, await newPayee(partner), 5);
  await pay(server, customer, { paytag: bola.paytag, amount: 10, reference: 'out' });
  await pay(server, bola, { paytag: customer.paytag, amount: 1, reference: 'in' });
  await moveMoney(server, partner, customer.wallet, 'debit', { amount: 1, reference: 'emptied' });
  const { headers } = customer;
  const payload = { accountNumber: '0987654321', bankCode: '057' };
  await server.call('POST', '/v2/sso/wallet/bank-account', { headers, payload });
  await startChange(server, customer, { email: 'chiamaka.anew@example.com' });
  await startReset(server, partner, person.paytag);
  await startSession(server, partner, { ...person, email: 'chiamaka.else@example.com' });
  await server.call('POST', '/v2/sso/transaction/statement', {
    headers: { ...headers, prefer: 'respond-async' },
    payload: { email: person.email },
  });
  return { partner, customer, id: await customerIdOf(server, person.paytag) };
}

async function newPayee(partner: Parameters<typeof logInAt>[1]) {
  const person = newPerson();
  await complete(server, partner, await validatedSession(server, partner, person), { paytag: person.paytag });
  return person;
}

it('V14.2.4: of who was erased nothing is left, sealed or in the clear, but BVN and name, and after five years not these', async () => {
  const { customer, id } = await somebodyKnownEverywhere();
  const known = [
    customer.bvn,
    customer.phone,
    customer.email,
    customer.dateOfBirth,
    '7 Forgotten Street',
    'Chiamaka',
    'CHIAMAKA',
    'Ogbuefi',
    'chiamaka',
    'forgotten-note',
    '0987654321',
  ];
  const left = async () => (await everythingSealed()).filter((value) => known.some((one) => value.includes(one)));
  expect((await left()).length).toBeGreaterThan(8);
  const erased = await actOn(server, id, 'erase');
  expect(erased.statusCode).toBe(200);
  expect(await left()).toEqual([
    `customers.customer.bvn_sealed: ${customer.bvn}`,
    'customers.customer.kept_name_sealed: Chiamaka Ogbuefi',
  ]);
  const clear = await everythingInTheClear();
  expect(known.filter((value) => clear.includes(value))).toEqual([]);
  const { profile } = (await actOn(server, id, 'export')).json().data;
  expect(profile).toMatchObject({ firstName: 'Erased', keptName: 'Chiamaka Ogbuefi', bvn: customer.bvn });

  server.clock.advance(FIVE_YEARS_MS + 1000);
  await cleanUp(server.resources);
  expect(await left()).toEqual([]);
  expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
});

it('V7.4.2: an erasure ends tokens, codes and what was begun with them', async () => {
  const partner = await server.newPartner();
  const ada = await logInAt(server, partner, await newPayee(partner));
  const code = await authCode(server, partner, ada.paytag);
  const { session } = (await startReset(server, partner, ada.paytag)).json<{ session: string }>();
  await actOn(server, await customerIdOf(server, ada.paytag), 'erase');
  expect((await server.call('GET', '/v2/sso/wallet', { headers: ada.headers })).statusCode).toBe(401);
  expect((await exchange(server, partner, code)).statusCode).toBe(401);
  const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers: partner.headers });
  expect(sent.statusCode).toBe(404);
});

it('V15.4.2: logins, links, credits and changes of contact that race an erasure leave nothing behind it', async () => {
  const [partner, other] = [await server.newPartner({ float: 100 }), await server.newPartner()];
  const outcomes = new Set<number>();
  for (let round = 0; round < 6; round++) {
    const ada = await logInAt(server, partner, await newPayee(partner));
    const id = await customerIdOf(server, ada.paytag);
    const [erased, credited] = await Promise.all([
      actOn(server, id, 'erase'),
      moveMoney(server, partner, ada.wallet, 'credit', { amount: 1, reference: `race-${round}` }),
      logIn(server, other, ada.paytag, PASSWORD),
      server.call('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers: other.headers }),
      startChange(server, ada, { email: `race${round}@example.com` }),
      startReset(server, partner, ada.paytag),
    ]);
    outcomes.add(erased.statusCode);
    expect([200, 409]).toContain(erased.statusCode);
    const { total } = (await actOn(server, id, 'export')).json().data.wallets[0];
    expect(total).toBe(credited.statusCode === 200 && erased.statusCode === 409 ? 1 : 0);
    if (erased.statusCode !== 200) continue;
    const sealed = await everythingSealed();
    const rest = [ada.phone, ada.email, `race${round}@example.com`];
    expect(sealed.filter((value) => rest.some((one) => value.includes(one)))).toEqual([]);
    for (const { revokedAt } of erased.json().wallets) expect(revokedAt).toEqual(expect.any(String));
    expect((await logIn(server, other, ada.paytag)).statusCode).toBe(404);
  }
  expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
  expect(outcomes.size).toBeGreaterThan(0);
});

it('V14.2.4: whoever reads the whole database finds no client id, which keys R-Signature', async () => {
  const dataDir = await newDatabaseFolder('paytag-demo-');
  const demo = await loadDemo({ ...server.resources, dataDir });
  await rm(dataDir, { recursive: true });
  const partner = await server.newPartner({ float: 10, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const application = await newApplication(server, 'Umeh Stores', { webhookUrl: 'http://127.0.0.1:9/hooks' });
  const change = { name: 'Another', reason: 'renamed' };
  expect((await server.operate('PATCH', `/partners/${partner.id}`, change)).statusCode).toBe(200);
  const rotated = await server.operate('POST', `/applications/${application.applicationId}/secret/rotate`, {
    reason: 'leaked',
  });
  expect(rotated.json()).toMatchObject({ client_id: application.client_id });
  const clientIds = [
    ...[demo.partner, ...demo.applications].map(({ clientId }) => clientId),
    partner.clientId,
    application.client_id,
  ];
  expect(clientIds.length).toBeGreaterThan(3);
  const stored = await everythingStored(server);
  expect(stored).toContain(application.namespace);
  const asStored = (clientId: string) => [clientId, ...(['hex', 'base64'] as const).map((as) => encoded(clientId, as))];
  expect(clientIds.flatMap(asStored).filter((text) => stored.includes(text))).toEqual([]);
});

const encoded = (text: string, as: 'hex' | 'base64'): string => Buffer.from(text).toString(as).replace(/=+$/, '');

it('V14.2.4: what stands in the database of a client id is taken from nobody in its place', async () => {
  const partner = await server.newPartner();
  const { client_id, client_secret } = await newApplication(server);
  const call = (id: string) =>
    server.call('GET', '/v2/partner/float', { headers: { ...partner.headers, 'x-client-id': id } });
  const ask = (id: string) => server.call('POST', '/api/v1/auth/token', { payload: { client_id: id, client_secret } });
  expect([(await call(partner.clientId)).statusCode, (await ask(client_id)).statusCode]).toEqual([200, 200]);
  for (const as of ['hex', 'base64'] as const) {
    const digestOf = (clientId: string) => sha256(clientId).toString(as);
    expect(refusalOf(await call(digestOf(partner.clientId)))).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(refusalOf(await ask(digestOf(client_id)))).toEqual([401, 'INVALID_CLIENT']);
  }
});

const person = paytagBody({
  firstName: 'Ngozi',
  lastName: 'Sealed',
  phone: '08031239876',
  email: 'ngozi.sealed@example.com',
  dateOfBirth: '1991-02-03',
  address: '7 Sealed Street, Surulere',
});
const plain = [person.bvn, '+2348031239876', '8031239876', person.email, person.dateOfBirth, person.address];

it('no BVN, phone, e-mail, birth date, address, key, client id or secret stands in any table in the clear', async () => {
  const partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
  const { headers } = partner;
  const made = await server.call('POST', '/v2/partner/paytag', { headers, payload: person });
  expect(made.statusCode).toBe(200);
  const started = await server.call('POST', '/v2/sso/create-tag', { headers, payload: person });
  const { session } = started.json();
  await server.call('GET', `/v2/sso/${session}/otp?channel=email`, { headers });
  await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp: '123456' } });
  const password = 'a password that is sealed';
  const completed = await server.call('POST', `/v2/sso/create-tag/${session}/complete`, {
    headers: { ...headers, 'idempotency-key': 'complete' },
    payload: { paytag: person.tag, password },
  });
  expect(completed.statusCode).toBe(200);
  const payload = { applicationName: 'Market', email: 'market.sealed@example.com' };
  const { data } = (await server.call('POST', '/api/v1/applications', { payload })).json();

  const { client_id, client_secret } = data;
  const token = (await server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } })).json();
  const subject = { externalId: 'customer-1', email: 'subject.sealed@example.com' };
  const authorization = `Bearer ${token.access_token}`;
  const registered = await server.call('POST', '/api/v1/subjects', {
    headers: { authorization, 'idempotency-key': 'subject' },
    payload: subject,
  });
  expect(registered.statusCode).toBe(201);

  const rotated = await server.call('POST', '/v2/partner/webhook/secret/rotate', {
    headers: { ...headers, 'idempotency-key': 'rotate' },
  });
  const { webhookSecret } = rotated.json();

  const keys = [partner.apiKey, partner.webhookSecret, webhookSecret, data.client_secret, data.webhookSecret];
  const secrets = [session, password, partner.clientId, client_id, ...keys];
  const stored = await everythingStored(server);
  expect(stored).toContain(person.tag);
  expect([...plain, ...secrets, payload.email, subject.email].filter((value) => stored.includes(value))).toEqual([]);
});
