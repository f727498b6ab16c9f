import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { madeBeforeContacts } from '../support/before-contacts.ts';
import { brokenInvariants } from '../support/books.ts';
import { actOn, findCustomers, handedBack } from '../support/customers.ts';
import {
  authCode,
  complete,
  createPayTag,
  exchange,
  logIn,
  newCustomer,
  newPerson,
  validatedSession,
} from '../support/onboarding.ts';
import { completeReset, startReset, validatedReset } from '../support/password-reset.ts';
import { refusalOf } from '../support/refusals.ts';
import { changeWallet, logInAt, moveMoney, pay } from '../support/wallets.ts';

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
