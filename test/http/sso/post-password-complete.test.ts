import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import {
  authCode,
  complete,
  completeReset,
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

const server = useApp();

describe('200', () => {
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
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ session, status: 'COMPLETED', validated: true, expiresAt: expect.any(String) });

    for (const [partner, token] of tokens) {
      const refused = await walletOf(partner, token);
      expect(refused.statusCode).toBe(401);
      expect(refused.json()).toMatchObject({ errorCode: 'INVALID_CUSTOMER_TOKEN' });
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
});

describe('404', () => {
  it('knows no session of another partner, and none that creates a PayTag; and those know no reset', async () => {
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
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ errorCode: 'SESSION_NOT_FOUND' });
    }
    expect((await complete(server, partner, creation, { paytag: person.paytag })).statusCode).toBe(200);
    expect((await completeReset(server, partner, reset)).statusCode).toBe(200);
  });
});

describe('409', () => {
  it('asks for a validated code first, and changes a password once', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const { session: fresh } = (await startReset(server, partner, paytag)).json();
    const early = await completeReset(server, partner, fresh);
    expect(early.statusCode).toBe(409);
    expect(early.json()).toMatchObject({ errorCode: 'SESSION_NOT_VALIDATED' });
    const session = await validatedReset(server, partner, paytag);
    await completeReset(server, partner, session);
    const again = await completeReset(server, partner, session, 'Another-one-entirely-3');
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({ errorCode: 'SESSION_COMPLETED' });
    expect((await logIn(server, partner, paytag, NEW_PASSWORD)).statusCode).toBe(200);
  });
});

describe('410', () => {
  it('expires after thirty minutes', async () => {
    const partner = await server.newPartner();
    const { paytag } = await newCustomer(server, partner);
    const session = await validatedReset(server, partner, paytag);
    server.clock.advance(30 * 60_000);
    const answer = await completeReset(server, partner, session);
    expect(answer.statusCode).toBe(410);
    expect(answer.json()).toMatchObject({ errorCode: 'SESSION_EXPIRED' });
  });
});
