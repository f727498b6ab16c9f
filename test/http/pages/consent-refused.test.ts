import { describe, expect, it, vi } from 'vitest';
import { AddressRefused, MessagingProviderDown } from '../../../src/providers/messaging/port.ts';
import { useApp } from '../../support/app.ts';
import { after, answerConsent, claimsSeenBy, DAY_MS, eventsFor, newClaim } from '../../support/claims.ts';
import {
  answerByCode,
  answerByPassword,
  askForCode,
  customerWithPendingClaim,
  customerWithRequester,
  openPage,
  pathOf,
  postForm,
  sealOf,
  subjectWithRequester,
} from '../../support/consent-page.ts';
import { useMailServer } from '../../support/mail-server.ts';
import { createPayTag, newPerson, OTP, PASSWORD, showsCode } from '../../support/onboarding.ts';

describe('POST /consent/{token}/code', () => {
  const mailServer = useMailServer({ lacksStarttls: true });
  const server = useApp(() => ({
    EMAIL_PROVIDER: 'smtp',
    EMAIL_FROM: 'PayTag <no-reply@example.com>',
    EMAIL_SMTP_TLS: 'none',
    EMAIL_SMTP_URL: mailServer.url,
  }));
  const mailsTo = (email: string) => mailServer.received.filter(({ to }) => to.includes(email));

  it('sends a customer a code to their address on record, and asks for it', async () => {
    const { claim, person } = await customerWithPendingClaim(server);
    const answer = await askForCode(server, claim, 'email');
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, `${pathOf(claim)}?with=code`]);
    const { mail } = await mailServer.waitFor(person.email);
    expect(mail.text).toContain(OTP);
    const { body } = await openPage(server, claim, '?with=code');
    expect(body).toMatch(/name="code"[^>]+autocomplete="one-time-code"[^>]+autofocus/);
    expect(body).toContain(`A code works for five minutes. In this test environment it is ${OTP}.</p>`);
    expect(body).not.toContain(person.email);
    for (const secret of [person.email, claim.consentToken]) expect(server.logged).not.toContain(secret);
    expect(showsCode(server.logged, OTP)).toBe(false);
  });

  it('names the requester and the request in the message, not only on the page', async () => {
    const { claim, person, requester } = await customerWithPendingClaim(server);
    await askForCode(server, claim, 'email');
    const { mail } = await mailServer.waitFor(person.email);
    const about = `to approve or decline that @${person.paytag} stands for a user of ${requester.namespace}.`;
    expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(`${OTP} is your PayTag code ${about}`);
    expect((await openPage(server, claim)).body).toContain(requester.namespace);
  });

  it('mails the owner of an application’s tag their code', async () => {
    const claim = await newClaim(server, await subjectWithRequester(server, { email: 'owner@bank.example' }));
    expect((await askForCode(server, claim, 'email')).statusCode).toBe(303);
    expect((await mailServer.waitFor('owner@bank.example')).mail.text).toContain(OTP);
  });

  it('answers the same for a customer without such an address, who then cannot use a code', async () => {
    const sides = await customerWithRequester(server);
    const { email, ...person } = newPerson();
    await createPayTag(server, await server.newPartner(), { ...person, email: '' });
    const claim = await newClaim(server, { ...sides, tag: person.paytag });
    const answer = await askForCode(server, claim, 'email');
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, `${pathOf(claim)}?with=code`]);
    expect((await openPage(server, claim, '?with=code')).body).toContain('If there is such an address');
    expect((await answerByCode(server, claim, OTP)).statusCode).toBe(400);
    expect(mailsTo(email)).toEqual([]);
    expect((await askForCode(server, claim, 'email')).statusCode).toBe(429);
  });

  describe('a message that was not accepted', () => {
    it('at a mailbox that does not exist is answered like a missing address, and its code is void', async () => {
      const { claim, person } = await customerWithPendingClaim(server);
      mailServer.refuse('RCPT', 550);
      const answer = await askForCode(server, claim, 'email');
      mailServer.refuse();
      expect([answer.statusCode, answer.headers['location']]).toEqual([303, `${pathOf(claim)}?with=code`]);
      expect((await answerByCode(server, claim, OTP)).statusCode).toBe(400);
      expect((await askForCode(server, claim, 'email')).statusCode).toBe(429);
      expect(mailsTo(person.email)).toEqual([]);
    });

    it('at a mailbox that does not exist leaves a code sent to the phone meanwhile valid', async () => {
      const { claim } = await customerWithPendingClaim(server);
      vi.spyOn(server.resources.messaging, 'sendOtp').mockImplementationOnce(async () => {
        expect((await askForCode(server, claim, 'sms')).statusCode).toBe(303);
        throw new AddressRefused('no such mailbox');
      });
      vi.spyOn(server.resources.messaging, 'newCode').mockReturnValueOnce('654321');
      expect((await askForCode(server, claim, 'email')).statusCode).toBe(303);
      expect((await answerByCode(server, claim, OTP)).statusCode).toBe(303);
    });

    it('at a mailbox that does not exist is reported to the owner of an application’s tag, and does not count', async () => {
      const claim = await newClaim(server, await subjectWithRequester(server, { email: 'gone@bank.example' }));
      mailServer.refuse('RCPT', 550);
      const answer = await askForCode(server, claim, 'email');
      mailServer.refuse();
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('No code can be sent that way')]);
      expect((await askForCode(server, claim, 'email')).statusCode).toBe(303);
    });

    it('whose sending timed out counts, and its code is valid if it arrives', async () => {
      const { claim } = await customerWithPendingClaim(server);
      const unheard = new MessagingProviderDown('timeout', { mayHaveSent: true });
      vi.spyOn(server.resources.messaging, 'sendOtp').mockRejectedValueOnce(unheard);
      expect((await askForCode(server, claim, 'sms')).statusCode).toBe(303);
      expect((await askForCode(server, claim, 'sms')).statusCode).toBe(429);
      expect((await answerByCode(server, claim, OTP)).statusCode).toBe(303);
    });
  });

  describe('refused', () => {
    it('with 400: an unknown channel, and one that cannot reach the owner of an application’s tag', async () => {
      const { claim } = await customerWithPendingClaim(server);
      const theirs = await newClaim(server, await subjectWithRequester(server, { email: 'owner@bank.example' }));
      const answers = [await askForCode(server, claim, 'pigeon'), await askForCode(server, theirs, 'sms')];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
      expect(answers[1]?.body).toContain('No code can be sent that way');
    });

    it('with 403: a form that is not ours', async () => {
      const { claim } = await customerWithPendingClaim(server);
      const seal = await sealOf(server, claim);
      for (const [form, site] of [
        ['', 'same-origin'],
        [seal, 'cross-site'],
      ] as const) {
        const headers = { 'sec-fetch-site': site };
        expect((await postForm(server, `${pathOf(claim)}/code`, { form, channel: 'sms' }, headers)).statusCode).toBe(
          403,
        );
      }
      expect(
        (await server.owner.query('select from owner_proofs.owner_code where purpose = $1', [`consent:${claim.id}`]))
          .rowCount,
      ).toBe(0);
    });

    it('with 409: a code for an answered request', async () => {
      const sides = await subjectWithRequester(server, { email: 'owner@bank.example' });
      const claim = await newClaim(server, sides);
      const form = await sealOf(server, claim);
      await answerConsent(server, sides.owner, claim.consentToken, 'reject');
      const answer = await postForm(server, `${pathOf(claim)}/code`, { form, channel: 'email' });
      expect([answer.statusCode, answer.body]).toEqual([409, expect.stringContaining('This request was declined')]);
    });

    it('with 429: a second code within a minute by one channel, even of fifty at once, and a sixth', async () => {
      const { claim, person } = await customerWithPendingClaim(server);
      const form = await sealOf(server, claim);
      const ask = (channel: string) => postForm(server, `${pathOf(claim)}/code`, { form, channel });
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask('email')));
      expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
      expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(49);
      const refused = await ask('email');
      expect([refused.statusCode, refused.body]).toEqual([
        429,
        expect.stringContaining('A code was sent a moment ago'),
      ]);
      expect(refused.body).toContain('name="code"');
      expect(mailsTo(person.email)).toHaveLength(1);
      for (let send = 2; send <= 5; send += 1) {
        server.clock.advance(60_000);
        expect((await ask('email')).statusCode).toBe(303);
      }
      server.clock.advance(60_000);
      const sixth = await ask('email');
      expect([sixth.statusCode, sixth.body]).toEqual([429, expect.stringContaining('No more codes are sent')]);
      expect(mailsTo(person.email)).toHaveLength(5);
    });

    it('with 429: an eleventh code within an hour to one person for one application', async () => {
      const sides = await customerWithPendingClaim(server);
      for (let number = 1; number <= 10; number += 1) {
        const claim = number === 1 ? sides.claim : await anotherClaim(sides, number);
        expect((await askForCode(server, claim)).statusCode).toBe(303);
      }
      const answer = await askForCode(server, await anotherClaim(sides, 11));
      expect([answer.statusCode, answer.body]).toEqual([429, expect.stringContaining('Please wait')]);
    });

    it('with 502: a code that the provider refused, which does not count', async () => {
      const { claim } = await customerWithPendingClaim(server);
      mailServer.refuse('RCPT', 451);
      const answer = await askForCode(server, claim, 'email');
      expect([answer.statusCode, answer.body]).toEqual([502, expect.stringContaining('The code could not be sent')]);
      mailServer.refuse();
      expect((await askForCode(server, claim, 'email')).statusCode).toBe(303);
      expect((await answerByCode(server, claim, OTP)).statusCode).toBe(303);
    });
  });

  /** Another subject of the same application asks for the same tag. */
  async function anotherClaim(sides: Awaited<ReturnType<typeof customerWithRequester>>, number: number) {
    const { requester } = sides;
    const payload = { externalId: `another-${number}-${sides.tag}` };
    const answer = await server.call('POST', '/api/v1/subjects', { headers: requester.headers, payload });
    return newClaim(server, { ...sides, subjectId: answer.json<{ data: { id: string } }>().data.id });
  }
});

describe('POST /consent/{token}, refused', () => {
  const server = useApp();

  /** A claim on which nothing was done. */
  async function expectUntouched({ claim, requester, tag }: Awaited<ReturnType<typeof customerWithPendingClaim>>) {
    expect(await claimsSeenBy(server, requester, tag)).toEqual([claim]);
    expect(await eventsFor(server, requester)).toEqual([]);
  }

  it.each([
    ['nothing', []],
    [
      'no answer',
      [
        ['by', 'code'],
        ['code', OTP],
      ],
    ],
    [
      'an unknown answer',
      [
        ['by', 'code'],
        ['code', OTP],
        ['answer', 'maybe'],
      ],
    ],
    [
      'two answers',
      [
        ['by', 'code'],
        ['code', OTP],
        ['answer', 'approve'],
        ['answer', 'decline'],
      ],
    ],
    [
      'two passwords',
      [
        ['by', 'password'],
        ['paytag', 'x'],
        ['password', 'a'],
        ['password', 'b'],
        ['answer', 'approve'],
      ],
    ],
    [
      'a password without end',
      [
        ['by', 'password'],
        ['paytag', 'x'],
        ['password', 'a'.repeat(300)],
        ['answer', 'approve'],
      ],
    ],
  ] as [string, [string, string][]][])('400: is a page that asks again for a form with %s', async (_what, fields) => {
    const sides = await customerWithPendingClaim(server);
    const answer = await postForm(server, pathOf(sides.claim), [
      ['form', await sealOf(server, sides.claim)],
      ...fields,
    ]);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('Something is missing');
    await expectUntouched(sides);
  });

  it('400: refuses a code that is not hers, was sent for another request, was used, or is too old', async () => {
    const [one, other] = [await customerWithPendingClaim(server), await customerWithPendingClaim(server)];
    await askForCode(server, one.claim);
    for (const [claim, code] of [
      [one.claim, '000000'],
      [other.claim, OTP],
    ] as const) {
      const answer = await answerByCode(server, claim, code);
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('That is not the code')]);
    }
    expect((await answerByCode(server, one.claim, OTP)).statusCode).toBe(303);
    const used = await answerByCode(server, one.claim, OTP, 'decline');
    expect([used.statusCode, used.body]).toEqual([400, expect.stringContaining('That is not the code')]);
    await askForCode(server, other.claim);
    server.clock.advance(5 * 60 * 1000);
    const late = await answerByCode(server, other.claim, OTP);
    expect([late.statusCode, late.body]).toEqual([400, expect.stringContaining('That code is too old')]);
    await expectUntouched(other);
  });

  it('401: says the same of a wrong password, somebody else’s PayTag, none, and a customer without a password', async () => {
    const [sides, stranger] = [await customerWithPendingClaim(server), await customerWithPendingClaim(server)];
    const person = newPerson();
    await createPayTag(server, await server.newPartner(), person);
    const withoutPassword = await newClaim(server, { ...sides, tag: person.paytag });
    const answers = [
      await answerByPassword(server, sides.claim, { password: 'wrong' }),
      await answerByPassword(server, sides.claim, { paytag: stranger.tag }),
      await answerByPassword(server, sides.claim, { paytag: '\u0000' }),
      await answerByPassword(server, sides.claim, { password: '' }),
      await answerByPassword(server, withoutPassword),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.body).toContain('That PayTag and password do not match');
    }
    await expectUntouched(sides);
  });

  it('401: takes no password for a tag that no customer owns', async () => {
    const claim = await newClaim(server, await subjectWithRequester(server, { email: 'owner@example.com' }));
    expect((await answerByPassword(server, claim)).statusCode).toBe(401);
  });

  it('403: refuses a form without our seal, with another’s, a changed and an old one, and spends no attempt on it', async () => {
    const [sides, other] = [await customerWithPendingClaim(server), await customerWithPendingClaim(server)];
    const [ours, theirs] = [await sealOf(server, sides.claim), await sealOf(server, other.claim)];
    const later = ours.replace(/^\d+/, (until) => String(Number(until) + 1));
    for (const form of ['', 'x', theirs, later, `${ours}x`, ours.slice(0, -1)]) {
      const answer = await answerByPassword(server, sides.claim, { form });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    }
    await expectUntouched(sides);
    server.clock.advance(60 * 60 * 1000);
    expect((await answerByPassword(server, sides.claim, { form: ours })).statusCode).toBe(403);
    expect((await answerByPassword(server, sides.claim)).statusCode).toBe(303);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 303],
    [{}, 303],
  ] as [Record<string, string>, number][])(
    '403: of a form that a browser sends with %j: %i',
    async (headers, status) => {
      const { claim } = await customerWithPendingClaim(server);
      const fields = { by: 'password', paytag: claim.tagString, password: PASSWORD, answer: 'approve' };
      const form = await sealOf(server, claim);
      expect((await postForm(server, pathOf(claim), { form, ...fields }, headers)).statusCode).toBe(status);
    },
  );

  describe('404, 409 and 410', () => {
    it('refuses a form for a request that nobody made, that was answered, or that is over', async () => {
      const sides = await customerWithPendingClaim(server);
      const form = await sealOf(server, sides.claim);
      const unknown = await answerByPassword(server, { ...sides.claim, consentToken: 'x' }, { form });
      expect(unknown.statusCode).toBe(403);
      await answerByPassword(server, sides.claim);
      const again = await answerByPassword(server, sides.claim, { form });
      expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('is approved')]);
      await answerByPassword(server, sides.claim, { answer: 'decline', form });
      const late = await answerByPassword(server, sides.claim, { answer: 'decline', form });
      expect([late.statusCode, late.body]).toEqual([409, expect.stringContaining('This request was declined')]);
      expect(await eventsFor(server, sides.requester)).toHaveLength(2);
      const next = await newClaim(server, sides);
      server.clock.advance(DAY_MS - 1000);
      const last = await sealOf(server, next);
      await after(server, 1000, sides);
      expect((await answerByPassword(server, next, { form: last })).statusCode).toBe(410);
    });

    it('refuses an approval on a suspended tag, and takes her decline', async () => {
      const { claim } = await customerWithPendingClaim(server);
      await server.owner.query(`update tags.tag set status = 'SUSPENDED' where handle = $1`, [claim.tagString]);
      const refused = await answerByPassword(server, claim);
      expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('This tag is suspended')]);
      expect((await answerByPassword(server, claim, { answer: 'decline' })).statusCode).toBe(303);
    });
  });

  describe('413 and 415', () => {
    it('is a page, too, for what is no form of ours', async () => {
      const { claim } = await customerWithPendingClaim(server);
      const json = await postForm(server, pathOf(claim), { by: 'code' }, { 'content-type': 'application/json' });
      const large = await postForm(server, pathOf(claim), { form: 'x'.repeat(40_000) });
      expect([json.statusCode, large.statusCode]).toEqual([415, 413]);
      for (const answer of [json, large]) expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    });
  });

  it('429: looks at five of fifty wrong passwords that come at once, and then at no right one', async () => {
    const sides = await customerWithPendingClaim(server);
    const form = await sealOf(server, sides.claim);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => answerByPassword(server, sides.claim, { form, password: 'wrong' })),
    );
    const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
    expect([count(401), count(429)]).toEqual([5, 45]);
    server.clock.advance(15 * 60 * 1000);
    const right = await answerByPassword(server, sides.claim, { form });
    expect([right.statusCode, right.body]).toEqual([429, expect.stringContaining('Too many attempts')]);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect((await openPage(server, sides.claim)).body).not.toContain('<form');
    await expectUntouched(sides);
  });

  it('429: slows who guesses a PayTag’s password on one request after another', async () => {
    const sides = await customerWithPendingClaim(server);
    for (let guess = 0; guess < 5; guess += 1) await answerByPassword(server, sides.claim, { password: 'wrong' });
    const other = await customerWithPendingClaim(server);
    const next = await newClaim(server, { ...other, tag: sides.tag });
    const answer = await answerByPassword(server, next);
    expect([answer.statusCode, answer.body]).toEqual([429, expect.stringContaining('Please wait')]);
    expect((await openPage(server, next)).body).toContain('<form');
    server.clock.advance(31_000);
    expect((await answerByPassword(server, next)).statusCode).toBe(303);
  });
});
