import { describe, expect, it } from 'vitest';
import { completeCreation, getCreation, sendOtp, startCreation, validateOtp } from '#modules/onboarding';
import { bvnSimulator } from '../../../src/providers/bvn/simulator.ts';
import { AddressRefused, MessagingProviderDown, type OtpMessage } from '../../../src/providers/messaging/port.ts';
import { useApp } from '../../support/app.ts';
import { newPerson, PASSWORD, showsCode } from '../../support/onboarding.ts';

const server = useApp();

/** A messenger that keeps what it sends, each code another, and that can be made to fail. */
function messenger() {
  const sent: OtpMessage[] = [];
  let codes = 100_000;
  return {
    sent,
    failure: undefined as Error | undefined,
    newCode: () => String(++codes),
    async sendOtp(message: OtpMessage) {
      if (this.failure !== undefined) throw this.failure;
      sent.push(message);
    },
  };
}

async function newSession() {
  const { id: partnerId } = await server.newPartner();
  const messaging = messenger();
  const deps = { ...server.resources, messaging, bvn: bvnSimulator };
  const person = newPerson();
  const { session } = await startCreation(deps, { ...person, partnerId });
  return { deps, messaging, person, key: { partnerId, session } };
}

describe('a one-time password', () => {
  it('goes to the address of its channel, as it is kept', async () => {
    const { deps, messaging, person, key } = await newSession();
    await sendOtp(deps, { ...key, channel: 'whatsapp' });
    await sendOtp(deps, { ...key, channel: 'email' });
    expect(messaging.sent).toMatchObject([
      { channel: 'whatsapp', to: person.phone },
      { channel: 'email', to: person.email },
    ]);
  });

  it('is void once a new one has been sent', async () => {
    const { deps, messaging, key } = await newSession();
    await sendOtp(deps, { ...key, channel: 'sms' });
    await sendOtp(deps, { ...key, channel: 'email' });
    const [first, second] = messaging.sent.map(({ code }) => code);
    await expect(validateOtp(deps, { ...key, otp: first ?? '' })).rejects.toMatchObject({ code: 'OTP_INVALID' });
    expect(await validateOtp(deps, { ...key, otp: second ?? '' })).toMatchObject({
      provider: 'email',
      validated: true,
    });
  });

  it('is good in its own session alone', async () => {
    const [one, other] = [await newSession(), await newSession()];
    await sendOtp(one.deps, { ...one.key, channel: 'sms' });
    await sendOtp(other.deps, { ...other.key, channel: 'sms' });
    const digests = await server.owner.query(
      'select count(distinct otp_digest) from onboarding.creation_session where otp_digest is not null',
    );
    expect(one.messaging.sent[0]?.code).toBe(other.messaging.sent[0]?.code);
    expect(Number(digests.rows[0].count)).toBeGreaterThanOrEqual(2);
  });

  it('that the provider refused does not count: no cooldown, no send used up, and the previous code stays valid', async () => {
    const { deps, messaging, key } = await newSession();
    await sendOtp(deps, { ...key, channel: 'email' });
    messaging.failure = new MessagingProviderDown('refused');
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await expect(sendOtp(deps, { ...key, channel: 'sms' })).rejects.toMatchObject({
        code: 'MESSAGING_PROVIDER_UNAVAILABLE',
      });
    }
    expect(await getCreation(deps, key)).toMatchObject({ status: 'STARTED' });
    expect(await validateOtp(deps, { ...key, otp: messaging.sent[0]?.code ?? '' })).toMatchObject({ validated: true });
  });

  it('whose sending timed out counts as sent, and is valid if it arrives: a hanging provider sends no sixth', async () => {
    const { deps, messaging, key } = await newSession();
    const codes: string[] = [];
    const hanging = {
      newCode: () => messaging.newCode(),
      async sendOtp({ code }: OtpMessage) {
        codes.push(code);
        throw new MessagingProviderDown('no answer: timeout', { mayHaveSent: true });
      },
    };
    const send = () => sendOtp({ ...deps, messaging: hanging }, { ...key, channel: 'sms' });
    const unheard = { code: 'MESSAGING_PROVIDER_UNAVAILABLE', retryAfterS: 60 };
    await expect(send()).rejects.toMatchObject(unheard);
    await expect(send()).rejects.toMatchObject({ code: 'OTP_COOLDOWN' });
    for (let again = 0; again < 4; again += 1) {
      server.clock.advance(60_000);
      await expect(send()).rejects.toMatchObject(unheard);
    }
    server.clock.advance(60_000);
    await expect(send()).rejects.toMatchObject({ code: 'OTP_SENDS_EXCEEDED' });
    expect(codes).toHaveLength(5);
    expect(await validateOtp(deps, { ...key, otp: codes.at(-1) ?? '' })).toMatchObject({ validated: true });
  });

  it('to an address that takes none asks for another channel, and costs nothing', async () => {
    const { deps, messaging, key } = await newSession();
    messaging.failure = new AddressRefused('no such mailbox');
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await expect(sendOtp(deps, { ...key, channel: 'email' })).rejects.toMatchObject({
        code: 'OTP_CHANNEL_UNAVAILABLE',
      });
    }
    messaging.failure = undefined;
    expect(await sendOtp(deps, { ...key, channel: 'sms' })).toMatchObject({ provider: 'sms' });
  });

  it('for a missing address, or too soon, does not count towards a person’s hourly limit', async () => {
    const { deps, key } = await newSession();
    const { email: _, ...person } = newPerson();
    const { session } = await startCreation(deps, { ...person, partnerId: key.partnerId });
    const send = (channel: 'sms' | 'email') => sendOtp(deps, { ...key, session, channel });
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await expect(send('email')).rejects.toMatchObject({ code: 'OTP_CHANNEL_UNAVAILABLE' });
    }
    const atOnce = await Promise.allSettled(Array.from({ length: 8 }, () => send('sms')));
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (let sends = 0; sends < 4; sends += 1) {
      server.clock.advance(60_000);
      await send('sms');
    }
    const next = await startCreation(deps, { ...person, partnerId: key.partnerId });
    for (let sends = 0; sends < 5; sends += 1) {
      await sendOtp(deps, { ...key, session: next.session, channel: 'sms' });
      server.clock.advance(60_000);
    }
  });

  it('and the session are kept so that the database gives neither away', async () => {
    const { deps, messaging, person, key } = await newSession();
    await sendOtp(deps, { ...key, channel: 'sms' });
    const code = messaging.sent[0]?.code ?? '';
    await validateOtp(deps, { ...key, otp: code });
    await completeCreation(deps, { ...key, paytag: person.paytag, password: PASSWORD });
    const { rows } = await server.owner.query(
      `select (select string_agg(c::text, ' ') from customers.customer c) as customers,
              (select string_agg(s::text, ' ') from onboarding.creation_session s) as sessions`,
    );
    const stored = JSON.stringify(rows);
    expect(stored).toContain('Ada');
    for (const secret of [person.bvn, person.phone, person.email, person.dateOfBirth, key.session, PASSWORD]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect(showsCode(stored, code)).toBe(false);
    expect(stored).not.toContain(Buffer.from(code).toString('hex'));
  });
});
