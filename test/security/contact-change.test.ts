import { describe, expect, it } from 'vitest';
import { putContactChangesInForce } from '#modules/onboarding';
import { useApp } from '../support/app.ts';
import { cancelChange, confirmedChange, contactsOf, giveCode, startChange } from '../support/contact-change.ts';
import { eventually } from '../support/eventually.ts';
import { sentNotices } from '../support/notices.ts';
import { logIn } from '../support/onboarding.ts';
import { completeReset, NEW_PASSWORD, startReset, validatedReset } from '../support/password-reset.ts';
import { waitersFor } from '../support/row-locks.ts';
import { type LoggedIn, loggedIn, logInAt } from '../support/wallets.ts';

/** In the sandbox a change is in force at once. */
const server = useApp({ ENVIRONMENT: 'staging', WEBHOOK_ALLOWED_CIDRS: '' });
const HOUR_MS = 3_600_000;
const THIEF = '+2348099990091';

const newCustomer = async () => loggedIn(server, await server.newPartner());
const phoneOf = async (customer: LoggedIn) => (await contactsOf(server, customer)).phone;

/** Whoever has the proven contact resets the password. */
async function reset(owner: LoggedIn): Promise<void> {
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
    const owner = await newCustomer();
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

  it('stops it by a reset of the password with the old phone, up to the last hour', async () => {
    const owner = await newCustomer();
    await confirmedChange(server, owner, { phone: THIEF });
    await pass(23 * HOUR_MS);
    const { session } = (await startReset(server, owner.partner, owner.paytag)).json();
    const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers: owner.partner.headers });
    expect(sent.json().recipients).toEqual([`+234********${owner.phone.slice(-2)}`]);
    await reset(owner);
    await pass(2 * HOUR_MS);
    expect(await contactsOf(server, await back(owner))).toMatchObject({
      phone: owner.phone,
      phoneProven: true,
      changes: [],
    });
  });

  it('stops one whose code has not come back yet as well', async () => {
    const owner = await newCustomer();
    const { session } = (await startChange(server, owner, { phone: THIEF })).json();
    await reset(owner);
    expect((await giveCode(server, owner.partner, session)).statusCode).toBe(410);
  });

  it('wins against the change or comes after it, of both at once: never is the thief’s phone in force after a reset', async () => {
    const owner = await newCustomer();
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
    const owner = await newCustomer();
    await confirmedChange(server, owner, { email: 'thief@example.org' });
    await sentNotices(server);
    expect(await cancelChange(server, owner)).toBe(true);
    expect(await cancelChange(server, owner)).toBe(false);
    expect((await sentNotices(server)).map(({ to }) => to)).toEqual([owner.phone, owner.email]);
    await pass(25 * HOUR_MS);
    await reset(owner);
    expect((await contactsOf(server, await back(owner))).email).toBe(owner.email);
  });
});

describe('V6.4.3: a new phone', () => {
  it('is in force after 24 hours and not before, and takes the codes from then on', async () => {
    const owner = await newCustomer();
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
    const owner = await newCustomer();
    await confirmedChange(server, owner, { phone: THIEF });
    await confirmedChange(server, owner, { phone: '+2348099990003' });
    await pass(25 * HOUR_MS);
    expect(await phoneOf(await logInAt(server, owner.partner, owner))).toBe('+2348099990003');
  });

  it('ends a reset that was begun with the old one', async () => {
    const owner = await newCustomer();
    await confirmedChange(server, owner, { phone: THIEF });
    server.clock.advance(24 * HOUR_MS - 60_000);
    const begun = await validatedReset(server, owner.partner, owner.paytag);
    await pass(60_000);
    expect((await completeReset(server, owner.partner, begun)).statusCode).toBe(410);
  });
});

it('V6.4.3: a reset that begins at the moment in which a new phone comes into force has no code sent to the old one', async () => {
  const owner = await newCustomer();
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
    const [owner, other] = [await newCustomer(), await server.newPartner()];
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
    const owner = await newCustomer();
    for (let times = 0; times < 10; times += 1) {
      expect((await startChange(server, owner, { email: `new${times}@example.com` })).statusCode).toBe(200);
    }
    const refused = await startChange(server, owner, { email: 'one.more@example.com' });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});
