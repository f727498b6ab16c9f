import { expect, it } from 'vitest';
import { sealedColumns } from '../../src/sealed-columns.ts';
import { cleanUp } from '../../src/worker/cleanup.ts';
import { useApp } from '../support/app.ts';
import { startChange } from '../support/contact-change.ts';
import { actOn, customerIdOf } from '../support/customers.ts';
import {
  authCode,
  complete,
  createPayTag,
  exchange,
  logIn,
  newPerson,
  PASSWORD,
  startSession,
  validatedSession,
} from '../support/onboarding.ts';
import { startReset } from '../support/password-reset.ts';
import { openAll } from '../support/sealed.ts';
import { logInAt, moveMoney, pay } from '../support/wallets.ts';

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
