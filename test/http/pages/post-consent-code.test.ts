import { describe, expect, it, vi } from 'vitest';
import { AddressRefused, MessagingProviderDown } from '../../../src/providers/messaging/port.ts';
import { useApp } from '../../support/app.ts';
import { answerConsent, newClaim } from '../../support/claims.ts';
import {
  answerByCode,
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
import { createPayTag, newPerson, OTP, showsCode } from '../../support/onboarding.ts';

const mailServer = useMailServer({ lacksStarttls: true });
const server = useApp(() => ({
  EMAIL_PROVIDER: 'smtp',
  EMAIL_FROM: 'PayTag <no-reply@example.com>',
  EMAIL_SMTP_TLS: 'none',
  EMAIL_SMTP_URL: mailServer.url,
}));
const mailsTo = (email: string) => mailServer.received.filter(({ to }) => to.includes(email));

describe('303', () => {
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
      expect((await postForm(server, `${pathOf(claim)}/code`, { form, channel: 'sms' }, headers)).statusCode).toBe(403);
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
    expect([refused.statusCode, refused.body]).toEqual([429, expect.stringContaining('A code was sent a moment ago')]);
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
