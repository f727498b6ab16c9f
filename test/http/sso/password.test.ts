import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import {
  authCode,
  complete,
  completeReset,
  createPayTag,
  customerToken,
  exchange,
  logIn,
  NEW_PASSWORD,
  newCustomer,
  newPerson,
  PASSWORD,
  startReset,
  validatedReset,
  validatedSession,
} from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();

describe('POST /sso/password', () => {
  it('answers a session, the same for every customer at every partner', async () => {
    const [home, elsewhere] = [await server.newPartner(), await server.newPartner()];
    const people = [await newCustomer(server, home), await newCustomer(server, elsewhere)];
    const answers = [];
    for (const { paytag } of people) answers.push(await startReset(server, home, `@${paytag.toUpperCase()}`));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toEqual({
        session: expect.stringMatching(/^[\w-]{43}$/),
        status: 'STARTED',
        validated: false,
        expiresAt: expect.any(String),
      });
    }
  });

  it('begins a session whose code goes to the address on record', async () => {
    const partner = await server.newPartner();
    const { paytag, phone } = await newCustomer(server, partner);
    const { session } = (await startReset(server, partner, paytag)).json();
    const sent = await server.call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers: partner.headers });
    expect(sent.json()).toMatchObject({
      provider: 'sms',
      recipients: [`${phone.slice(0, 4)}${'*'.repeat(phone.length - 6)}${phone.slice(-2)}`],
      validated: false,
    });
  });

  it('401: says that a customer whom a partner made has no password to reset', async () => {
    const partner = await server.newPartner();
    const person = newPerson();
    await createPayTag(server, partner, person);
    expect(refusalOf(await startReset(server, partner, person.paytag))).toEqual([401, 'PASSWORD_NOT_SET']);
  });

  it('429: lets a partner begin ten for one PayTag in an hour, and another partner begin its own', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    for (let n = 0; n < 10; n++) expect((await startReset(server, partner, paytag)).statusCode).toBe(200);
    const refused = await startReset(server, partner, paytag);
    expect(refusalOf(refused)).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await startReset(server, await server.newPartner(), paytag)).statusCode).toBe(200);
    server.clock.advance(3_600_000);
    expect((await startReset(server, partner, paytag)).statusCode).toBe(200);
  });

  it('429: lets a partner ask for a hundred PayTags in an hour that nobody has', async () => {
    const partner = await server.newPartner();
    for (let n = 0; n < 100; n++) expect((await startReset(server, partner, `nobody.${n}`)).statusCode).toBe(404);
    expect((await startReset(server, partner, 'nobody.100')).statusCode).toBe(429);
  });
});

describe('POST /sso/password/{session}/complete', () => {
  it('changes the password, and ends every session and every code that could become one, at all partners', async () => {
    const [home, other] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, home);
    const { paytag: somebodyElse } = await newCustomer(server, home);
    const tokens = [
      [home, await customerToken(server, home, paytag)],
      [other, await customerToken(server, other, paytag)],
    ] as const;
    const untouched = await customerToken(server, home, somebodyElse);
    const code = await authCode(server, other, paytag);
    const walletOf = (partner: typeof home, token: string) =>
      server.call('GET', '/v2/sso/wallet', { headers: { ...partner.headers, authorization: `Bearer ${token}` } });

    const session = await validatedReset(server, home, paytag);
    for (const [partner, token] of tokens) expect((await walletOf(partner, token)).statusCode).toBe(200);
    const answer = await completeReset(server, home, session);
    expect(answer.json()).toEqual({ session, status: 'COMPLETED', validated: true, expiresAt: expect.any(String) });

    for (const [partner, token] of tokens) {
      expect(refusalOf(await walletOf(partner, token))).toEqual([401, 'INVALID_CUSTOMER_TOKEN']);
    }
    expect((await exchange(server, other, code)).json()).toMatchObject({ errorCode: 'INVALID_AUTH_CODE' });
    expect((await logIn(server, home, paytag, PASSWORD)).statusCode).toBe(401);
    expect((await logIn(server, other, paytag, NEW_PASSWORD)).statusCode).toBe(200);
    expect((await walletOf(home, untouched)).statusCode).toBe(200);
  });

  it('lets a locked-out customer log in at once', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    for (let n = 0; n < 6; n++) await logIn(server, partner, paytag, 'forgotten-for-sure');
    const session = await validatedReset(server, partner, paytag);
    await completeReset(server, partner, session);
    expect((await logIn(server, partner, paytag, NEW_PASSWORD)).statusCode).toBe(200);
  });

  it('is answered to exactly one of twenty concurrent completions', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const session = await validatedReset(server, partner, paytag);
    const passwords = Array.from({ length: 20 }, (_, n) => `${NEW_PASSWORD}-${n}`);
    const answers = await Promise.all(passwords.map((password) => completeReset(server, partner, session, password)));
    const winners = passwords.filter((_, n) => answers[n]?.statusCode === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19);
    expect((await logIn(server, partner, paytag, winners[0])).statusCode).toBe(200);
  });

  it('ends the other resets of the customer, validated or not', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, partner);
    const older = await validatedReset(server, other, paytag);
    await completeReset(server, partner, await validatedReset(server, partner, paytag));
    expect((await completeReset(server, other, older)).statusCode).toBe(410);
  });

  it('leaves no login with the old password, in any interleaving', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const session = await validatedReset(server, partner, paytag);
    const [changed, ...logins] = await Promise.all([
      completeReset(server, partner, session),
      ...Array.from({ length: 20 }, () => logIn(server, partner, paytag, PASSWORD)),
    ]);
    expect(changed.statusCode).toBe(200);
    const codes = logins
      .filter(({ statusCode }) => statusCode === 200)
      .map(({ body }) => new URL(body).searchParams.get('auth-code') ?? '');
    for (const code of codes) expect((await exchange(server, partner, code)).statusCode).toBe(401);
  });

  it('404: knows no session of another partner, and none that creates a PayTag; and those know no reset', async () => {
    const [partner, other] = [await server.newPartner(), await server.newPartner()];
    const { paytag } = await newCustomer(server, partner);
    const reset = await validatedReset(server, partner, paytag);
    const person = newPerson();
    const creation = await validatedSession(server, partner, person);
    const answers = [
      await completeReset(server, other, reset),
      await completeReset(server, partner, 'no-such-session'),
      await completeReset(server, partner, creation),
      await complete(server, partner, reset, { paytag }),
      await server.call('GET', `/v2/sso?session=${reset}`, { headers: partner.headers }),
      await server.call('GET', `/v2/sso/${reset}/otp`, { headers: other.headers }),
    ];
    for (const answer of answers) {
      expect(refusalOf(answer)).toEqual([404, 'SESSION_NOT_FOUND']);
    }
    expect((await complete(server, partner, creation, { paytag: person.paytag })).statusCode).toBe(200);
    expect((await completeReset(server, partner, reset)).statusCode).toBe(200);
  });

  it('409: asks for a validated code first, and changes a password once', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const { session: fresh } = (await startReset(server, partner, paytag)).json();
    expect(refusalOf(await completeReset(server, partner, fresh))).toEqual([409, 'SESSION_NOT_VALIDATED']);
    const session = await validatedReset(server, partner, paytag);
    await completeReset(server, partner, session);
    const again = await completeReset(server, partner, session, 'Another-one-entirely-3');
    expect(refusalOf(again)).toEqual([409, 'SESSION_COMPLETED']);
    expect((await logIn(server, partner, paytag, NEW_PASSWORD)).statusCode).toBe(200);
  });

  it('410: expires after thirty minutes', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const session = await validatedReset(server, partner, paytag);
    server.clock.advance(30 * 60_000);
    expect(refusalOf(await completeReset(server, partner, session))).toEqual([410, 'SESSION_EXPIRED']);
  });
});
