import { describe, expect, it } from 'vitest';
import { sendNotices } from '#modules/notices';
import { type TestPartner, useApp } from '../support/app.ts';
import { brokenInvariants } from '../support/books.ts';
import {
  complete,
  createPayTag,
  logIn,
  newCustomer,
  newPerson,
  type Person,
  startSession,
} from '../support/onboarding.ts';
import { refusalOf } from '../support/refusals.ts';
import { loggedIn, logInAt, moveMoney, pay } from '../support/wallets.ts';

const server = useApp();
const PAYDAY = 50_000;

/** BVN, names and birth date are no secret: the thief has them, and a phone of their own, which the register does not hold. */
const asThief = (victim: Person) => ({ ...victim, phone: '+2348099990000', email: 'thief@unregistered.example' });

const link = (partner: TestPartner, bvn: string) =>
  server.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers: partner.headers });

/** What the victim's own bank does next: it makes the PayTag, or links the one that there is, and pays the salary. */
async function payday(bank: TestPartner, victim: Person) {
  const made = await createPayTag(server, bank, { ...victim, paytag: `${victim.paytag}-own` });
  const wallet = made.statusCode === 409 ? await link(bank, victim.bvn) : made;
  const { Reference, PayTag } = wallet.json<{ Reference: string; PayTag: { Tag: string } }>();
  await moveMoney(server, bank, Reference, 'credit', { amount: PAYDAY, reference: `salary-${victim.bvn}` });
  return { Reference, tag: PayTag.Tag };
}

const totalOf = async (bank: TestPartner, reference: string) =>
  (await server.call('GET', `/v2/partner/wallet/${reference}`, { headers: bank.headers })).json().Wallet.TotalAmount;

describe('V6.6.1: whoever has a victim’s BVN, names and birth date, and a phone of their own', () => {
  it('gets no session by onboarding, and the victim’s money stays where it is', async () => {
    const [accomplice, bank] = [await server.newPartner(), await server.newPartner({ float: PAYDAY })];
    const victim = newPerson();
    const headers = accomplice.headers;
    const started = await server.call('POST', '/v2/sso/create-tag', { headers, payload: asThief(victim) });
    expect(refusalOf(started)).toEqual([400, 'BVN_MISMATCH']);

    const { Reference, tag } = await payday(bank, victim);
    expect(tag).toBe(`${victim.paytag}-own`);
    expect((await logIn(server, bank, victim.paytag)).statusCode).toBe(404);
    expect(await totalOf(bank, Reference)).toBe(PAYDAY);
  });

  it('gets no PayTag by a partner’s own POST /partner/paytag either, and so no code', async () => {
    const [accomplice, bank] = [await server.newPartner(), await server.newPartner({ float: PAYDAY })];
    const victim = newPerson();
    expect(refusalOf(await createPayTag(server, accomplice, asThief(victim)))).toEqual([400, 'BVN_MISMATCH']);
    const { Reference, tag } = await payday(bank, victim);
    expect(tag).toBe(`${victim.paytag}-own`);
    expect(await totalOf(bank, Reference)).toBe(PAYDAY);
  });

  it('leads a session without a phone to the register’s, and to no e-mail address that the register does not hold', async () => {
    const { headers } = await server.newPartner();
    const { phone: _, ...thief } = asThief(newPerson());
    const started = await server.call('POST', '/v2/sso/create-tag', { headers, payload: thief });
    expect(started.json()).toMatchObject({ channels: ['sms', 'whatsapp'], recipients: ['+234********01'] });
    const mailed = await server.call('GET', `/v2/sso/${started.json().session}/otp?channel=email`, { headers });
    expect(refusalOf(mailed)).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
  });

  it('learns nothing of what did not match: a wrong phone is answered as wrong names are', async () => {
    const partner = await server.newPartner();
    const wrongPhone = await createPayTag(server, partner, asThief(newPerson()));
    const wrongNames = await createPayTag(server, partner, { ...newPerson(), bvn: '22222222202' });
    const messages = [wrongPhone, wrongNames].map((answer) => answer.json().message);
    expect(messages[0]).toBe(messages[1]);
  });
});

describe('V6.6.1: a PayTag that a partner made for somebody', () => {
  it('is told to the phone on the register, by whom it was made', async () => {
    const maker = await server.newPartner();
    const victim = newPerson();
    await createPayTag(server, maker, victim);
    const sent: { to: string; text: string }[] = [];
    const texts = { sendText: async (text: { to: string; text: string }) => void sent.push(text) };
    await sendNotices({ ...server.resources, texts: { ...server.resources.texts, ...texts } });
    const toVictim = sent.filter(({ to }) => to === victim.phone);
    expect(toVictim.map(({ text }) => text)).toEqual([
      expect.stringContaining(`made the PayTag ${victim.paytag} for you`),
    ]);
  });

  it('receives its money where its owner first proved who they are, and shows the address that the register holds', async () => {
    const [maker, bank] = [await server.newPartner(), await server.newPartner({ float: PAYDAY })];
    const [victim, friend] = [newPerson(), await loggedIn(server, bank, 500)];
    const made = await createPayTag(server, maker, { ...victim, email: 'thief@unregistered.example' });
    const { Reference: atMaker } = made.json<{ Reference: string }>();
    const owner = await newCustomer(server, bank, victim);
    const hers = await logInAt(server, bank, { ...friend, ...owner });
    await pay(server, friend, { paytag: victim.paytag, amount: 300, reference: 'lunch' });
    expect(await totalOf(bank, hers.wallet)).toBe(300);
    expect(await totalOf(maker, atMaker)).toBe(0);
    const shown = await server.call('GET', `/v2/partner/wallet/${hers.wallet}`, { headers: bank.headers });
    expect(shown.json().PayTag.Email).toBe(victim.email);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('is not taken over by a session for the same BVN with another phone: the code goes where it went', async () => {
    const [maker, accomplice] = [await server.newPartner(), await server.newPartner()];
    const victim = newPerson();
    await createPayTag(server, maker, victim);
    const session = await startSession(server, accomplice, { ...victim, phone: '+2348099990091' });
    const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers: accomplice.headers });
    expect(sent.json().recipients).toEqual([`+234********${victim.phone.slice(-2)}`]);
    expect(refusalOf(await complete(server, accomplice, session, { paytag: victim.paytag }))).toEqual([
      409,
      'SESSION_NOT_VALIDATED',
    ]);
  });
});
