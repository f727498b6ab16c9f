import { expect, it } from 'vitest';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { answerByCode, answerByPassword, askForCode, customerWithPendingClaim } from '../../support/consent-page.ts';
import { actOn, customerIdOf, findCustomers, handedBack } from '../../support/customers.ts';
import {
  authCode,
  complete,
  completeReset,
  createPayTag,
  exchange,
  giveCode,
  logIn,
  newCustomer,
  newPerson,
  OTP,
  PASSWORD,
  startChange,
  startReset,
  validatedReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { madeBeforeContacts } from '../../support/other-times.ts';
import { refusalOf } from '../../support/refusals.ts';
import { moveTag } from '../../support/tags.ts';
import { changeWallet, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';

const LIMIT = 300;
const server = useApp({ DAILY_LIMIT_TIER_2: String(LIMIT) });
const THIEF_PHONE = '+2348099990000';

/** A PayTag that a thief made with a victim's BVN before phones were compared, the victim's bank having linked it since. */
async function stolen() {
  const [accomplice, bank] = [await server.newPartner(), await server.newPartner({ float: 10_000 })];
  const victim = newPerson();
  const paytag = `${victim.paytag}-stolen`;
  const session = await validatedSession(server, accomplice, victim);
  await complete(server, accomplice, session, { paytag });
  const found = (await findCustomers(server, { bvn: victim.bvn })).json<{ items: { id: string }[] }>().items;
  const id = found[0]?.id ?? '';
  await madeBeforeContacts(server, id, { phone: THIEF_PHONE, email: 'thief@unregistered.example' });
  const thief = await logInAt(server, bank, { ...victim, paytag }, 1000);
  return { accomplice, bank, victim, thief, id };
}

it('V6.6.1: a stolen BVN goes back: its owner onboards by their own phone, and the thief keeps nothing but what is frozen', async () => {
  const { accomplice, bank, victim, thief, id } = await stolen();
  const bola = await newCustomer(server, bank);
  const spent = await pay(server, thief, { paytag: bola.paytag, amount: LIMIT, reference: 'loot' });
  expect(spent.statusCode).toBe(200);
  const [code, reset] = [
    await authCode(server, bank, thief.paytag),
    await validatedReset(server, accomplice, thief.paytag),
  ];

  const refused = await createPayTag(server, bank, victim);
  expect(refusalOf(refused)).toEqual([409, 'BVN_ALREADY_REGISTERED']);
  expect((await actOn(server, id, 'freeze')).statusCode).toBe(200);
  expect((await handedBack(server, id)).statusCode).toBe(200);

  // The victim onboards anew, at their bank, by the phone that the register holds.
  const session = await validatedSession(server, bank, victim);
  const made = await complete(server, bank, session, { paytag: victim.paytag });
  expect([made.statusCode, made.json()]).toEqual([
    200,
    expect.objectContaining({ Tag: victim.paytag, Phone: victim.phone, Email: victim.email }),
  ]);
  const owner = await logInAt(server, bank, victim, 2 * LIMIT);
  expect(owner.wallet).not.toBe(thief.wallet);
  const [own] = (await findCustomers(server, { bvn: victim.bvn })).json().items;
  expect([own.paytag, own.id === id]).toEqual([victim.paytag, false]);
  const bought = await pay(server, owner, { paytag: bola.paytag, amount: LIMIT, reference: 'rent' });
  expect(bought.statusCode).toBe(200); // though the thief had spent as much today
  const over = await pay(server, owner, { paytag: bola.paytag, amount: 1, reference: 'more' });
  expect(refusalOf(over)).toEqual([422, 'LIMIT_EXCEEDED']);

  // The thief has a token, a code, a reset under way, the password and the BVN.
  const token = await pay(server, thief, { paytag: bola.paytag, amount: 1, reference: 'again' });
  expect(token.statusCode).toBe(401);
  expect(refusalOf(await exchange(server, bank, code))).toEqual([401, 'INVALID_AUTH_CODE']);
  expect(refusalOf(await completeReset(server, accomplice, reset))).toEqual([410, 'SESSION_EXPIRED']);
  for (const partner of [accomplice, bank]) {
    expect(refusalOf(await logIn(server, partner, thief.paytag))).toEqual([401, 'INVALID_CUSTOMER_CREDENTIALS']);
    const { session: another } = (await startReset(server, partner, thief.paytag)).json<{ session: string }>();
    for (const channel of ['sms', 'whatsapp', 'email']) {
      const sent = await server.call('GET', `/v2/sso/${another}/otp?channel=${channel}`, { headers: partner.headers });
      expect(refusalOf(sent)).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
    }
  }
  const asThief = { ...victim, paytag: 'anew', phone: THIEF_PHONE };
  expect(refusalOf(await createPayTag(server, accomplice, asThief))).toEqual([400, 'BVN_MISMATCH']);
  const linked = await server.call('POST', `/v2/partner/paytag/bvn/${victim.bvn}`, { headers: accomplice.headers });
  expect(linked.json().PayTag.Tag).toBe(victim.paytag);

  // What the thief had stays where it is, and what arrives joins it.
  const late = await moveMoney(server, bank, thief.wallet, 'credit', { amount: 50, reference: 'late-salary' });
  expect(late.statusCode).toBe(200);
  expect(refusalOf(await moveMoney(server, bank, thief.wallet, 'debit', { amount: 1, reference: 'fee' }))).toEqual([
    422,
    'WALLET_PND',
  ]);
  const kept = (await server.operate('GET', `/wallets/${thief.wallet}`)).json();
  expect(kept).toMatchObject({ totalAmount: 1000 - LIMIT + 50, status: 'PND' });
  expect((await server.operate('GET', `/customers/${id}`)).json()).toMatchObject({ status: 'FROZEN', sessions: [] });
  expect(await brokenInvariants(server)).toEqual([]);
});

it('V6.6.1: the salary that a bank paid into a stolen PayTag goes back by the bank, and on to its owner', async () => {
  const { bank, victim, thief, id } = await stolen();
  await actOn(server, id, 'freeze');
  await handedBack(server, id);
  await complete(server, bank, await validatedSession(server, bank, victim), { paytag: victim.paytag });
  const owner = await logInAt(server, bank, victim);
  await changeWallet(server, thief.wallet, { status: 'Enabled' });
  const back = await moveMoney(server, bank, thief.wallet, 'debit', { amount: 1000, reference: 'salary-back' });
  await changeWallet(server, thief.wallet, { status: 'PND' });
  const on = await moveMoney(server, bank, owner.wallet, 'credit', { amount: 1000, reference: 'salary-on' });
  expect([back.statusCode, on.statusCode]).toEqual([200, 200]);
  expect((await server.operate('GET', `/wallets/${owner.wallet}`)).json().totalAmount).toBe(1000);
  expect(await brokenInvariants(server)).toEqual([]);
});

it('V15.4.2: of owners who onboard as the BVN is handed back, one has it, and none shares it with the thief', async () => {
  const { bank, victim, id } = await stolen();
  await actOn(server, id, 'freeze');
  const others = await Promise.all([server.newPartner(), server.newPartner()]);
  const [handed, ...made] = await Promise.all([
    handedBack(server, id),
    ...[bank, ...others].map((partner, turn) =>
      createPayTag(server, partner, { ...victim, paytag: `${victim.paytag}-${turn}` }),
    ),
  ]);
  expect(handed.statusCode).toBe(200);
  expect(made.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(1);
  for (const one of made) expect([200, 409]).toContain(one.statusCode);
  expect((await server.operate('GET', `/customers/${id}`)).json()).toMatchObject({ status: 'FROZEN' });
  expect(await brokenInvariants(server)).toEqual([]);
});

const freeze = async (paytag: string) => actOn(server, await customerIdOf(server, paytag), 'freeze');
const wallet = (headers: Record<string, string>) => server.call('GET', '/v2/sso/wallet', { headers });

it('V7.4.2: a freeze ends the customer’s tokens and codes at every partner, and no one else’s', async () => {
  const [here, there] = [await server.newPartner(), await server.newPartner()];
  const ada = await loggedIn(server, here);
  const adaThere = await logInAt(server, there, ada);
  const bola = await loggedIn(server, here);
  const code = await authCode(server, here, ada.paytag);
  expect((await freeze(ada.paytag)).statusCode).toBe(200);
  for (const { headers } of [ada, adaThere]) expect((await wallet(headers)).statusCode).toBe(401);
  expect(refusalOf(await exchange(server, here, code))).toEqual([401, 'INVALID_AUTH_CODE']);
  expect((await wallet(bola.headers)).statusCode).toBe(200);
});

it('V7.4.2: a freeze ends the links to statements that the customer was given', async () => {
  const ada = await loggedIn(server, await server.newPartner());
  const { headers } = ada;
  const { url } = (await server.call('POST', '/v2/sso/transaction/statement', { headers })).json<{ url: string }>();
  const path = new URL(url).pathname;
  expect((await server.app.inject({ url: path })).statusCode).toBe(200);
  await freeze(ada.paytag);
  expect((await server.app.inject({ url: path })).statusCode).toBe(410);
});

it('V7.4.2: a customer who logs in and pays all the while does neither once the freeze is answered', async () => {
  const partner = await server.newPartner({ float: 1000 });
  for (let round = 0; round < 3; round++) {
    const ada = await loggedIn(server, partner, 200);
    const bola = await newCustomer(server, partner);
    const tokens: string[] = [];
    const during = { isRunning: true, paid: 0 };
    const payOn = async (lane: number) => {
      for (let turn = 0; during.isRunning; turn++) {
        const payload = { paytag: bola.paytag, amount: 0.01, reference: `${round}-${lane}-${turn}` };
        if ((await pay(server, ada, payload)).statusCode === 200) during.paid += 1;
      }
    };
    const logInOn = async () => {
      while (during.isRunning) {
        const login = await logIn(server, partner, ada.paytag);
        if (login.statusCode !== 200) continue;
        const token = await exchange(server, partner, new URL(login.body).searchParams.get('auth-code') ?? '');
        if (token.statusCode === 200) tokens.push(token.body);
      }
    };
    const busy = [payOn(1), payOn(2), payOn(3), logInOn(), logInOn()];
    while (during.paid < 5 || tokens.length < 2) await pay(server, ada, { paytag: 'x', amount: 1, reference: 'none' });
    expect((await freeze(ada.paytag)).statusCode).toBe(200);
    const atFreeze = (await server.operate('GET', `/wallets/${ada.wallet}`)).json().totalAmount;
    const known = tokens.length;
    for (let turn = 0; turn < 5; turn++) {
      const payload = { paytag: bola.paytag, amount: 0.01, reference: `${round}-after-${turn}` };
      expect((await pay(server, ada, payload)).statusCode).toBe(401);
    }
    during.isRunning = false;
    await Promise.all(busy);
    expect((await server.operate('GET', `/wallets/${ada.wallet}`)).json().totalAmount).toBe(atFreeze);
    expect(known).toBeGreaterThan(1);
    for (const token of tokens) {
      expect((await wallet({ ...partner.headers, authorization: `Bearer ${token}` })).statusCode).toBe(401);
    }
  }
});

it('V6.3.8: a thief who was frozen is answered as one who guesses, whatever they know', async () => {
  const [partner, other] = [await server.newPartner(), await server.newPartner()];
  const ada = await newCustomer(server, partner);
  await freeze(ada.paytag);
  for (const password of [PASSWORD, 'Zuma-Rock-at-dawn-3']) {
    expect(refusalOf(await logIn(server, partner, ada.paytag, password))).toEqual([
      401,
      'INVALID_CUSTOMER_CREDENTIALS',
    ]);
  }
  const linked = await server.call('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers: other.headers });
  expect(refusalOf(linked)).toEqual([404, 'PAYTAG_NOT_FOUND']);
  const { paytag: _, ...known } = ada;
  const { headers } = other;
  expect(refusalOf(await server.call('POST', '/v2/sso/create-tag', { headers, payload: known }))).toEqual([
    409,
    'BVN_ALREADY_REGISTERED',
  ]);
  expect(refusalOf(await createPayTag(server, other, { ...ada, paytag: 'ada-anew' }))).toEqual([
    409,
    'BVN_ALREADY_REGISTERED',
  ]);
});

it('V6.4.3: no forgotten password is reset past a freeze, whether the reset began before it or after', async () => {
  const partner = await server.newPartner();
  const ada = await newCustomer(server, partner);
  const before = await validatedReset(server, partner, ada.paytag);
  await freeze(ada.paytag);
  expect(refusalOf(await completeReset(server, partner, before))).toEqual([410, 'SESSION_EXPIRED']);
  const started = await startReset(server, partner, ada.paytag);
  expect(started.statusCode).toBe(200);
  const { session } = started.json();
  for (const channel of ['sms', 'whatsapp', 'email']) {
    const sent = await server.call('GET', `/v2/sso/${session}/otp?channel=${channel}`, { headers: partner.headers });
    expect(refusalOf(sent)).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
  }
});

it('V6.4.3: nobody who was made by a partner sets a first password past a freeze', async () => {
  const partner = await server.newPartner();
  const person = newPerson();
  await createPayTag(server, partner, person);
  const session = await validatedSession(server, partner, person);
  await freeze(person.paytag);
  expect(refusalOf(await complete(server, partner, session, { paytag: person.paytag }))).toEqual([
    410,
    'SESSION_EXPIRED',
  ]);
});

it('V6.4.3: a change of contact that a thief began or confirmed comes to nothing, also after the release', async () => {
  const partner = await server.newPartner();
  const ada = await loggedIn(server, partner);
  const { session } = (await startChange(server, ada, { email: 'thief@example.com' })).json<{ session: string }>();
  const id = await customerIdOf(server, ada.paytag);
  await server.owner.query(
    `insert into customers.contact_change (customer_id, contact, value_sealed, confirmed_at, in_force_at)
     values ($1, 'phone', 'sealed', now(), now() + interval '1 day')`,
    [id],
  );
  await freeze(ada.paytag);
  expect(refusalOf(await giveCode(server, partner, session))).toEqual([410, 'SESSION_EXPIRED']);
  await actOn(server, id, 'release');
  const { rows } = await server.owner.query('select contact from customers.contact_change where customer_id = $1', [
    id,
  ]);
  expect(rows).toEqual([]);
  expect(refusalOf(await giveCode(server, partner, session))).toEqual([410, 'SESSION_EXPIRED']);
});

it('V8.2.2: nothing is agreed on a frozen customer’s PayTag by password or by a code sent before, even once they are released', async () => {
  const { tag, claim } = await customerWithPendingClaim(server);
  expect((await askForCode(server, claim)).statusCode).toBe(303);
  const { id } = (await freeze(tag)).json();
  expect((await answerByPassword(server, claim)).statusCode).not.toBe(303);
  expect((await moveTag(server, tag, 'restore')).statusCode).toBe(409);
  expect((await answerByCode(server, claim, OTP)).statusCode).not.toBe(303);
  await actOn(server, id, 'release');
  expect((await answerByCode(server, claim, OTP)).statusCode).toBe(400);
});

it('V15.4.2: links and resets that race the freeze leave nothing open behind it', async () => {
  const partner = await server.newPartner();
  for (let round = 0; round < 4; round++) {
    const ada = await newCustomer(server, partner);
    const others: TestPartner[] = [await server.newPartner(), await server.newPartner()];
    const [frozen, ...started] = await Promise.all([
      freeze(ada.paytag),
      startReset(server, partner, ada.paytag),
      startReset(server, partner, ada.paytag),
      ...others.map(({ headers }) => server.call('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers })),
    ]);
    expect(frozen.statusCode).toBe(200);
    for (const { session } of started.slice(0, 2).map((answer) => answer.json<{ session: string }>())) {
      const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers: partner.headers });
      expect(['SESSION_EXPIRED', 'OTP_CHANNEL_UNAVAILABLE']).toContain(sent.json().errorCode);
    }
    const { wallets } = (await server.operate('GET', `/customers/${frozen.json().id}`)).json();
    for (const { status } of wallets) expect(status).toBe('PND');
  }
  const { checks } = (await server.operate('GET', '/ledger/check')).json();
  for (const name of ['freezes_are_audited', 'frozen_customers_are_shut_out', 'wallet_rules_are_audited']) {
    expect(checks).toContainEqual(expect.objectContaining({ name, violations: 0 }));
  }
});
