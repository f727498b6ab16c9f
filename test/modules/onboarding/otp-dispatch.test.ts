import { describe, expect, it } from 'vitest';
import { completeCreation, getCreation, sendOtp, startCreation, validateOtp } from '#modules/onboarding';
import { bvnSimulator } from '../../../src/providers/bvn/simulator.ts';
import { MessagingProviderDown, type OtpMessage } from '../../../src/providers/messaging/port.ts';
import { useApp } from '../../support/app.ts';
import { newPerson, PASSWORD } from '../../support/onboarding.ts';

const server = useApp();

/** A messenger that keeps what it sends, each code another, and that can be made to fail. */
function messenger() {
  const sent: OtpMessage[] = [];
  let codes = 100_000;
  return {
    sent,
    isDown: false,
    newCode: () => String(++codes),
    async sendOtp(message: OtpMessage) {
      if (this.isDown) throw new MessagingProviderDown('no answer');
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

  it('is void once a new one was sent', async () => {
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
    const digests = await server.resources.pool.query(
      'select count(distinct otp_digest) from onboarding.creation_session where otp_digest is not null',
    );
    expect(one.messaging.sent[0]?.code).toBe(other.messaging.sent[0]?.code);
    expect(Number(digests.rows[0].count)).toBeGreaterThanOrEqual(2);
  });

  it('that the provider did not take counts as none: no cooldown, no send less, and the code before it stands', async () => {
    const { deps, messaging, key } = await newSession();
    await sendOtp(deps, { ...key, channel: 'email' });
    messaging.isDown = true;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await expect(sendOtp(deps, { ...key, channel: 'sms' })).rejects.toMatchObject({
        code: 'MESSAGING_PROVIDER_UNAVAILABLE',
      });
    }
    expect(await getCreation(deps, key)).toMatchObject({ status: 'STARTED' });
    expect(await validateOtp(deps, { ...key, otp: messaging.sent[0]?.code ?? '' })).toMatchObject({ validated: true });
  });

  it('and the session are kept so that the database gives neither away', async () => {
    const { deps, messaging, person, key } = await newSession();
    await sendOtp(deps, { ...key, channel: 'sms' });
    const code = messaging.sent[0]?.code ?? '';
    await validateOtp(deps, { ...key, otp: code });
    await completeCreation(deps, { ...key, paytag: person.paytag, password: PASSWORD });
    const { rows } = await server.resources.pool.query(
      `select (select string_agg(c::text, ' ') from customers.customer c) as customers,
              (select string_agg(s::text, ' ') from onboarding.creation_session s) as sessions`,
    );
    const stored = JSON.stringify(rows);
    expect(stored).toContain('Ada');
    for (const secret of [person.bvn, person.phone, person.email, person.dateOfBirth, key.session, PASSWORD, code]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});
