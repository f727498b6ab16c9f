import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { complete, createPayTag, newPerson, validatedSession } from '../support/onboarding.ts';
import { startReset } from '../support/password-reset.ts';

const server = useSharedApp();
const THIEF = 'thief@unregistered.example';

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
    const made = await complete(server, partner, session, { paytag: victim.paytag, email: THIEF });
    expect(made.json()).toMatchObject({ Email: THIEF });

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
    const made = await complete(server, partner, session, { paytag: victim.paytag, email: THIEF });
    expect(made.json()).toMatchObject({ Email: victim.email });
  });

  it('given by the partner that makes a customer, takes no code', async () => {
    const partner = await server.newPartner();
    const { headers } = partner;
    const victim = { ...newPerson(), email: THIEF };
    expect((await createPayTag(server, partner, victim)).json().PayTag.Email).toBe(THIEF);
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
