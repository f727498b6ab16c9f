import { describe, expect, it } from 'vitest';
import { putContactChangesInForce } from '#modules/accounts';
import { sendNotices } from '#modules/customers';
import { type TestPartner, useApp } from '../../support/app.ts';
import { brokenInvariants, whileAltered } from '../../support/books.ts';
import { sentNotices } from '../../support/customers.ts';
import { eventually } from '../../support/eventually.ts';
import {
  cancelChange,
  complete,
  completeReset,
  confirmedChange,
  contactsOf,
  createPayTag,
  giveCode,
  logIn,
  NEW_PASSWORD,
  newCustomer,
  newPerson,
  type Person,
  startChange,
  startReset,
  startSession,
  validatedReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { waitersFor } from '../../support/row-locks.ts';
import { type LoggedIn, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';

/** In the sandbox a change is in force at once. */
const server = useApp({ ENVIRONMENT: 'staging', WEBHOOK_ALLOWED_CIDRS: '' });
const HOUR_MS = 3_600_000;
const THIEF = '+2348099990091';

const newOwner = async () => loggedIn(server, await server.newPartner());
const phoneOf = async (customer: LoggedIn) => (await contactsOf(server, customer)).phone;

/** Whoever has the proven contact resets the password. */
async function resetPassword(owner: LoggedIn): Promise<void> {
  await completeReset(server, owner.partner, await validatedReset(server, owner.partner, owner.paytag));
}

/** Logs in with the password of the reset. */
async function back(owner: LoggedIn): Promise<LoggedIn> {
  const redirect = new URL((await logIn(server, owner.partner, owner.paytag, NEW_PASSWORD)).body);
  const code = redirect.searchParams.get('auth-code');
  const token = await server.call('GET', `/v2/sso/token?auth-code=${code}`, { headers: owner.partner.headers });
  return { ...owner, headers: { ...owner.partner.headers, authorization: `Bearer ${token.body}` } };
}

async function pass(ms: number): Promise<void> {
  server.clock.advance(ms);
  await putContactChangesInForce(server.resources);
}

describe('V6.3.7: the owner of a PayTag whose phone somebody else changes', () => {
  it('is told at the phone and e-mail address they had, with a day to stop it', async () => {
    const owner = await newOwner();
    await sentNotices(server);
    await confirmedChange(server, owner, { phone: THIEF });
    const told = await sentNotices(server);
    expect(told.map(({ channel, to }) => [channel, to])).toEqual([
      ['sms', owner.phone],
      ['email', owner.email],
    ]);
    expect(told[0]?.text).toMatch(
      new RegExp(
        `^PayTag notice: PayTag ${owner.paytag} gets the phone \\+234\\*+91 from .+ asked for at Partner \\d+ `,
      ),
    );
    expect(told[0]?.text).toContain('If it was not you, reset your password now');
  });

  it('has the whole day, whatever the login of the server says of it, and keeps no other waiting', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await confirmedChange(server, other, { phone: '+2348099990092' });
    await confirmedChange(server, owner, { phone: '+2348099990093' });
    const codesGoTo = async (one: LoggedIn): Promise<string> => {
      const { session } = (await startReset(server, one.partner, one.paytag)).json();
      const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers: one.partner.headers });
      return sent.json().recipients[0].slice(-2);
    };
    const byServer = `update customers.contact_change set in_force_at = '2020-01-01' where customer_id = (
      select c.id from customers.customer c join tags.tag t on t.id = c.tag_id where t.handle = '${owner.paytag}')`;
    const altered = { table: 'customers.contact_change', byServer, seenBy: 'sealed_values_open' };
    await whileAltered(server, altered, () => pass(1_000));
    expect(await codesGoTo(owner)).toBe(owner.phone.slice(-2));
    await pass(24 * HOUR_MS);
    expect([await codesGoTo(other), await codesGoTo(owner)]).toEqual(['92', '93']);
  });

  it('stops it by a reset of the password with the old phone, up to the last hour', async () => {
    const owner = await newOwner();
    await confirmedChange(server, owner, { phone: THIEF });
    await pass(23 * HOUR_MS);
    const { session } = (await startReset(server, owner.partner, owner.paytag)).json();
    const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers: owner.partner.headers });
    expect(sent.json().recipients).toEqual([`+234********${owner.phone.slice(-2)}`]);
    await resetPassword(owner);
    await pass(2 * HOUR_MS);
    expect(await contactsOf(server, await back(owner))).toMatchObject({
      phone: owner.phone,
      phoneProven: true,
      changes: [],
    });
  });

  it('stops one whose code has not come back yet as well', async () => {
    const owner = await newOwner();
    const { session } = (await startChange(server, owner, { phone: THIEF })).json();
    await resetPassword(owner);
    expect((await giveCode(server, owner.partner, session)).statusCode).toBe(410);
  });

  it('wins against the change or comes after it, of both at once: never is the thief’s phone in force after a reset', async () => {
    const owner = await newOwner();
    const begun = await validatedReset(server, owner.partner, owner.paytag);
    const { session } = (await startChange(server, owner, { phone: THIEF })).json();
    const [given, done] = await Promise.all([
      giveCode(server, owner.partner, session),
      completeReset(server, owner.partner, begun),
    ]);
    expect([200, 410]).toContain(given.statusCode);
    expect(done.statusCode).toBe(200);
    await pass(25 * HOUR_MS);
    const { rows } = await server.owner.query('select count(*)::int as left from customers.contact_change');
    expect(rows[0].left).toBe(0);
    const { session: next } = (await startReset(server, owner.partner, owner.paytag)).json();
    const sent = await server.call('GET', `/v2/sso/${next}/otp`, { headers: owner.partner.headers });
    expect(sent.json().recipients).toEqual([`+234********${owner.phone.slice(-2)}`]);
  });

  it('cancels it while logged in, once, and is told of that too', async () => {
    const owner = await newOwner();
    await confirmedChange(server, owner, { email: 'thief@example.org' });
    await sentNotices(server);
    expect(await cancelChange(server, owner)).toBe(true);
    expect(await cancelChange(server, owner)).toBe(false);
    expect((await sentNotices(server)).map(({ to }) => to)).toEqual([owner.phone, owner.email]);
    await pass(25 * HOUR_MS);
    await resetPassword(owner);
    expect((await contactsOf(server, await back(owner))).email).toBe(owner.email);
  });
});

describe('V6.4.3: a new phone', () => {
  it('is in force after 24 hours and not before, and takes the codes from then on', async () => {
    const owner = await newOwner();
    const mine = '+2348099990002';
    await confirmedChange(server, owner, { phone: '0809 999 0002' });
    expect(await contactsOf(server, owner)).toMatchObject({
      phone: owner.phone,
      changes: [{ contact: 'phone', recipient: '+234********02', inForceAt: expect.any(String) }],
    });
    const { session: before } = (await startReset(server, owner.partner, owner.paytag)).json();
    await pass(24 * HOUR_MS);
    const later = await logInAt(server, owner.partner, owner);
    expect(await phoneOf(later)).toBe(mine);
    const { headers } = owner.partner;
    expect((await server.call('GET', `/v2/sso/${before}/otp`, { headers })).statusCode).toBe(410);
    const { session } = (await startReset(server, owner.partner, owner.paytag)).json();
    const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers });
    expect(sent.json().recipients).toEqual(['+234********02']);
  });

  it('is the last one that was confirmed, however many were', async () => {
    const owner = await newOwner();
    await confirmedChange(server, owner, { phone: THIEF });
    await confirmedChange(server, owner, { phone: '+2348099990003' });
    await pass(25 * HOUR_MS);
    expect(await phoneOf(await logInAt(server, owner.partner, owner))).toBe('+2348099990003');
  });

  it('ends a reset that was begun with the old one', async () => {
    const owner = await newOwner();
    await confirmedChange(server, owner, { phone: THIEF });
    server.clock.advance(24 * HOUR_MS - 60_000);
    const begun = await validatedReset(server, owner.partner, owner.paytag);
    await pass(60_000);
    expect((await completeReset(server, owner.partner, begun)).statusCode).toBe(410);
  });
});

it('V6.4.3: a reset that begins at the moment in which a new phone comes into force has no code sent to the old one', async () => {
  const owner = await newOwner();
  await confirmedChange(server, owner, { phone: THIEF });
  server.clock.advance(24 * HOUR_MS);
  const holder = await server.owner.connect();
  await holder.query('begin');
  await holder.query('select 1 from customers.customer for no key update');
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = (count: number) =>
    eventually(async () => expect(await waitersFor(server.owner, rows[0]?.pid ?? 0)).toBeGreaterThanOrEqual(count));
  const changing = putContactChangesInForce(server.resources);
  await waiting(1);
  const starting = startReset(server, owner.partner, owner.paytag); // has read the old phone when it comes to wait
  await eventually(async () => {
    const { rows: waiters } = await server.owner.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiters.length).toBeGreaterThanOrEqual(2);
  });
  await holder.query('rollback');
  holder.release();
  await changing;
  const { session } = (await starting).json<{ session: string }>();
  const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers: owner.partner.headers });
  const outcomes = [
    [200, ['+234********91']],
    [410, undefined],
  ];
  expect(outcomes).toContainEqual([sent.statusCode, sent.json().recipients]);
});

describe('V8.2.2: the session of a change', () => {
  it('is another partner’s for nobody, and begins nothing else', async () => {
    const [owner, other] = [await newOwner(), await server.newPartner()];
    const { session } = (await startChange(server, owner, { phone: THIEF })).json();
    expect((await giveCode(server, other, session)).statusCode).toBe(404);
    expect((await giveCode(server, owner.partner, session)).statusCode).toBe(200);
    const { headers } = owner.partner;
    expect((await completeReset(server, owner.partner, session)).statusCode).toBe(404);
    const payload = { paytag: owner.paytag, password: NEW_PASSWORD };
    const completed = await server.call('POST', `/v2/sso/create-tag/${session}/complete`, { headers, payload });
    expect(completed.statusCode).toBe(404);
    expect((await server.call('GET', `/v2/sso?session=${session}`, { headers })).statusCode).toBe(404);
  });

  it('is begun ten times a day at most', async () => {
    const owner = await newOwner();
    for (let times = 0; times < 10; times += 1) {
      expect((await startChange(server, owner, { email: `new${times}@example.com` })).statusCode).toBe(200);
    }
    const refused = await startChange(server, owner, { email: 'one.more@example.com' });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

const THIEF_MAIL = 'thief@unregistered.example';

const answered = (answer: { statusCode: number; json<T>(): T }) => [
  answer.statusCode,
  answer.json<{ errorCode: string }>().errorCode,
];

describe('V6.4.3: an e-mail address that nobody has proved', () => {
  it('given with complete, is shown, and never becomes the way to reset the password', async () => {
    const partner = await server.newPartner();
    const { headers } = partner;
    const { email: _, ...victim } = newPerson();
    const session = await validatedSession(server, partner, victim);
    const made = await complete(server, partner, session, { paytag: victim.paytag, email: THIEF_MAIL });
    expect(made.json()).toMatchObject({ Email: THIEF_MAIL });

    const reset = (await startReset(server, partner, victim.paytag)).json<{ session: string }>().session;
    const mailed = await server.call('GET', `/v2/sso/${reset}/otp?channel=email`, { headers });
    expect(answered(mailed)).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
    expect((await server.call('GET', `/v2/sso/${reset}/otp`, { headers })).json().recipients).toEqual([
      `+234********${victim.phone.slice(-2)}`,
    ]);
  });

  it('given with complete, does not take the place of one that the register holds', async () => {
    const partner = await server.newPartner();
    const victim = newPerson();
    const session = await validatedSession(server, partner, victim);
    const made = await complete(server, partner, session, { paytag: victim.paytag, email: THIEF_MAIL });
    expect(made.json()).toMatchObject({ Email: victim.email });
  });

  it('given by the partner that makes a customer, takes no code', async () => {
    const partner = await server.newPartner();
    const { headers } = partner;
    const victim = { ...newPerson(), email: THIEF_MAIL };
    expect((await createPayTag(server, partner, victim)).json().PayTag.Email).toBe(THIEF_MAIL);
    const started = await server.call('POST', '/v2/sso/create-tag', { headers, payload: victim });
    expect(started.json().channels).toEqual(['sms', 'whatsapp']);
    expect(started.json().recipients).toHaveLength(1);
    const mailed = await server.call('GET', `/v2/sso/${started.json().session}/otp?channel=email`, { headers });
    expect(answered(mailed)).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
  });
});

describe('V8.2.3: e-mail and phone of a customer', () => {
  it('are shown to a partner that only linked the BVN after the first login there', async () => {
    const [maker, other] = [await server.newPartner(), await server.newPartner()];
    const victim = newPerson();
    const session = await validatedSession(server, maker, victim);
    await complete(server, maker, session, { paytag: victim.paytag, imageUrl: 'https://ada.example/me.png' });

    const wallet = await server.call('POST', `/v2/partner/paytag/bvn/${victim.bvn}`, { headers: other.headers });
    const shown = { Tag: victim.paytag, Name: 'Ada Obi', ImageUrl: 'https://ada.example/me.png' };
    expect(wallet.json().PayTag).toEqual(shown);
    expect(wallet.json().Wallet.PayTag).toEqual(shown);
    const list = await server.call('GET', '/v2/partner/wallet', { headers: other.headers });
    expect(list.body).not.toContain(victim.email);
    expect(list.body).not.toContain(victim.phone);

    const login = { paytag: victim.paytag, password: 'Kilimanjaro-77' };
    await server.call('POST', '/v2/sso/auth-code', { headers: other.headers, payload: login });
    const known = await server.call('GET', `/v2/partner/wallet/${wallet.json().Reference}`, { headers: other.headers });
    expect(known.json().PayTag).toEqual({ ...shown, Email: victim.email, Phone: victim.phone });
  });

  it('are shown to the partner that made them, and to the one where they completed onboarding', async () => {
    const [maker, onboarder] = [await server.newPartner(), await server.newPartner()];
    const person = newPerson();
    const made = await createPayTag(server, maker, person);
    expect(made.json().PayTag).toMatchObject({ Email: person.email, Phone: person.phone });
    const session = await validatedSession(server, onboarder, person);
    await complete(server, onboarder, session, { paytag: person.paytag });
    const list = await server.call('GET', '/v2/partner/wallet', { headers: onboarder.headers });
    expect(list.json().items[0].PayTag).toMatchObject({ Email: person.email, Phone: person.phone });
  });
});

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
