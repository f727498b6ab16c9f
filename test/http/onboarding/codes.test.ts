import { describe, expect, it } from 'vitest';
import { completeCreation, getCreation, sendOtp, startCreation, validateOtp } from '#modules/accounts';
import { AddressRefused, MessagingProviderDown, type OtpMessage } from '../../../src/providers/messaging/port.ts';
import { bvnSimulator } from '../../../src/providers/simulators.ts';
import { type TestApp, type TestPartner, useApp } from '../../support/app.ts';
import {
  createPayTag,
  newCustomer,
  newPerson,
  OTP,
  PASSWORD,
  showsCode,
  startReset,
  startSession,
} from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';

describe('the dispatch of codes', () => {
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
      expect(await validateOtp(deps, { ...key, otp: messaging.sent[0]?.code ?? '' })).toMatchObject({
        validated: true,
      });
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
});

describe('the limits', () => {
  const server = useApp();
  const limited = useApp({ RATE_LIMIT_UNKNOWN_BVNS_PER_D: '3', RATE_LIMIT_VERIFY_TAGS_PER_M: '5' });
  const bounded = useApp({ RATE_LIMIT_BVNS_PER_D: '4' }, server);
  const HOUR_MS = 3_600_000;

  const send = async ({ headers }: TestPartner, session: string) =>
    (await server.call('GET', `/v2/sso/${session}/otp`, { headers })).statusCode;
  const guess = async ({ headers }: TestPartner, session: string, otp = '000000') =>
    (await server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } })).statusCode;

  describe('codes of one BVN', () => {
    it('are sent ten times in an hour by one partner, in however many sessions', async () => {
      const partner = await server.newPartner();
      const person = newPerson();
      const sends: number[] = [];
      for (let n = 0; n < 11; n++) sends.push(await send(partner, await startSession(server, partner, person)));
      expect(sends).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
      const other = await server.newPartner();
      expect(await send(other, await startSession(server, other, person))).toBe(200);
      server.clock.advance(HOUR_MS);
      expect(await send(partner, await startSession(server, partner, person))).toBe(200);
    });

    it('are sent thirty times by all partners together, also when all ask at once', async () => {
      const person = newPerson();
      const asked: Promise<number>[] = [];
      for (let partners = 0; partners < 4; partners++) {
        const partner = await server.newPartner();
        for (let n = 0; n < 10; n++) asked.push(send(partner, await startSession(server, partner, person)));
      }
      expect((await Promise.all(asked)).filter((status) => status === 200)).toHaveLength(30);
    });

    it('are guessed ten times in an hour at one partner, and the right one ends that', async () => {
      const partner = await server.newPartner();
      const person = newPerson();
      const guesses: number[] = [];
      for (let sessions = 0; sessions < 3; sessions++) {
        const session = await startSession(server, partner, person);
        await send(partner, session);
        for (let n = 0; n < 4; n++) guesses.push(await guess(partner, session));
      }
      expect(guesses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
      const other = await server.newPartner();
      const elsewhere = await startSession(server, other, person);
      await send(other, elsewhere);
      expect(await guess(other, elsewhere, OTP)).toBe(200);
    });

    it('that the provider did not take are not counted', async () => {
      const partner = await server.newPartner();
      const session = await startSession(server, partner, newPerson());
      const { messaging } = server.resources;
      const failing = { ...messaging, sendOtp: () => Promise.reject(new Error('the line is dead')) };
      for (let n = 0; n < 12; n++) {
        const sending = sendOtp(
          { ...server.resources, messaging: failing },
          { partnerId: partner.id, session, channel: 'sms' },
        );
        await expect(sending).rejects.toThrow('the line is dead');
      }
      expect(await send(partner, session)).toBe(200);
    });
  });

  describe('unknown BVNs', () => {
    const link = (at: TestApp, { headers }: TestPartner, bvn: string) =>
      at.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers });
    const NOT_FOUND = '22222222201';
    const MISMATCH = '22222222202';

    it('may be tried three times by a partner, across operations; then known ones are refused as well', async () => {
      const partner = await limited.newPartner();
      const person = newPerson();
      await createPayTag(limited, partner, person);
      expect((await link(limited, partner, '22299999999')).statusCode).toBe(404);
      const { headers } = partner;
      const creation = { ...newPerson(), bvn: MISMATCH };
      expect((await limited.call('POST', '/v2/sso/create-tag', { headers, payload: creation })).statusCode).toBe(400);
      expect((await createPayTag(limited, partner, { ...newPerson(), bvn: NOT_FOUND })).statusCode).toBe(400);
      for (const bvn of ['22299999998', person.bvn]) {
        const refused = await link(limited, partner, bvn);
        expect(refusalOf(refused)).toEqual([429, 'TOO_MANY_REQUESTS']);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(HOUR_MS / 1000);
      }
      expect((await link(limited, await limited.newPartner(), person.bvn)).statusCode).toBe(200);
      limited.clock.advance(24 * HOUR_MS);
      expect((await link(limited, partner, person.bvn)).statusCode).toBe(200);
    });
  });

  describe('BVNs of whomever', () => {
    it('may be tried four times in a day by a partner, across operations; another partner has its own four', async () => {
      const [partner, other] = [await server.newPartner(), await server.newPartner()];
      const person = newPerson();
      const link = ({ headers }: TestPartner, bvn: string) =>
        bounded.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers });
      expect((await createPayTag(bounded, partner, person)).statusCode).toBe(200);
      const bvns = [person.bvn, '22299999991', person.bvn, person.bvn, '22299999992'];
      const statuses: number[] = [];
      for (const bvn of bvns) statuses.push((await link(partner, bvn)).statusCode);
      expect(statuses).toEqual([200, 404, 200, 429, 429]);
      const { headers } = partner;
      expect((await bounded.call('POST', '/v2/sso/create-tag', { headers, payload: newPerson() })).statusCode).toBe(
        429,
      );
      expect((await link(other, person.bvn)).statusCode).toBe(200);
      server.clock.advance(24 * HOUR_MS);
      expect((await link(partner, person.bvn)).statusCode).toBe(200);
    });
  });

  describe('BVNs tried at once', () => {
    it('reveal no more than those tried one by one: a burst is answered until the limit is spent', async () => {
      const [maker, partner] = [await limited.newPartner(), await limited.newPartner()];
      const people = Array.from({ length: 40 }, newPerson);
      for (const person of people) await createPayTag(limited, maker, person);
      const { headers } = partner;
      const bvns = people.flatMap(({ bvn }, n) => [`2229999${String(n).padStart(4, '0')}`, bvn]);
      const answers = await Promise.all(
        bvns.map((bvn) => limited.call('POST', `/v2/partner/paytag/bvn/${bvn}`, { headers })),
      );
      const answered = answers.filter(({ statusCode }) => statusCode !== 429);
      expect(answered.filter(({ statusCode }) => statusCode === 404)).toHaveLength(3);
      expect(answered.length).toBeLessThan(3 + people.length); // those that were under way when it was
    });

    it('are verified for no more of them either', async () => {
      const { headers } = await limited.newPartner();
      const asked = Array.from({ length: 40 }, (_, n) => ({
        ...newPerson(),
        ...(n % 2 === 0 ? { bvn: '22222222202' } : {}),
      }));
      const answers = await Promise.all(
        asked.map((payload) => limited.call('POST', '/v2/sso/create-tag', { headers, payload })),
      );
      const answered = answers.filter(({ statusCode }) => statusCode !== 429);
      expect(answered.filter(({ statusCode }) => statusCode === 400)).toHaveLength(3);
      expect(answered.length).toBeLessThan(3 + asked.length / 2);
    });
  });

  describe('asked for at two processes at once', () => {
    const both = [limited, useApp({ RATE_LIMIT_UNKNOWN_BVNS_PER_D: '3' }, limited)] as const;
    const of = (n: number) => both[n % 2 === 0 ? 0 : 1];
    const lookedAt = (answers: { statusCode: number }[]) =>
      answers.filter(({ statusCode }) => statusCode !== 429).length;

    it('codes are sent ten times, resets begun ten times, and unknown BVNs tried three times, asked for at once', async () => {
      const partner = await limited.newPartner();
      const { headers } = partner;
      const person = newPerson();
      const sessions: string[] = [];
      for (let n = 0; n < 12; n++) sessions.push(await startSession(limited, partner, person));
      const sends = sessions.map((session, n) => of(n).call('GET', `/v2/sso/${session}/otp`, { headers }));
      expect(lookedAt(await Promise.all(sends))).toBe(10);
      const { paytag } = await newCustomer(limited, partner);
      const resets = Array.from({ length: 14 }, (_, n) => startReset(of(n), partner, paytag));
      expect(lookedAt(await Promise.all(resets))).toBe(10);
      const misses = Array.from({ length: 20 }, (_, n) =>
        of(n).call('POST', `/v2/partner/paytag/bvn/2229998${String(n).padStart(4, '0')}`, { headers }),
      );
      expect(lookedAt(await Promise.all(misses))).toBe(3);
    });
  });

  describe('PayTags looked up', () => {
    it('are as many in a minute as the limit says, for each partner', async () => {
      const [partner, other] = [await limited.newPartner(), await limited.newPartner()];
      const lookUp = async ({ headers }: TestPartner, paytag: string) =>
        (await limited.call('GET', `/v2/sso/verify-tag?paytag=${paytag}`, { headers })).statusCode;
      const found: number[] = [];
      for (let n = 0; n < 6; n++) found.push(await lookUp(partner, `free.${n}`));
      expect(found).toEqual([200, 200, 200, 200, 200, 429]);
      expect(await lookUp(other, 'free.1')).toBe(200);
      limited.clock.advance(60_000);
      expect(await lookUp(partner, 'free.1')).toBe(200);
    });
  });
});
