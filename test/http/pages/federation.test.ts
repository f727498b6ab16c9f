import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { federate, LINK_MS, newEnds, newLink, seeFederation } from '../../support/claims.ts';
import {
  answerByCode,
  answerByPassword,
  askForCode,
  linkAndEvents,
  linkTo,
  openPage,
  pathOf,
  postForm,
  sealOf,
  type WaitingLink,
  waitingLink,
} from '../../support/consent-page.ts';
import { useMailServer } from '../../support/mail-server.ts';
import { OTP, PASSWORD } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { setTagStatus } from '../../support/switch.ts';

describe('GET /federation/{token}', () => {
  const server = useApp();

  it('tells a program the requester, the two tags and the expiry', async () => {
    const asked = await waitingLink(server);
    const answer = await server.call('GET', pathOf(asked));
    expect([answer.statusCode, answer.headers['cache-control'], answer.headers['vary']]).toEqual([
      200,
      'no-store',
      'accept',
    ]);
    expect(answer.json().data).toEqual({
      linkId: asked.id,
      requestedByAppId: asked.primary.applicationId,
      requestedByAppName: 'Acme',
      primaryTag: asked.primary.tag,
      primaryAddress: `${asked.primary.tag}@${asked.primary.namespace}`,
      tagString: asked.tagString,
      qualifiedAddress: `${asked.tagString}@paytag`,
      status: 'PENDING',
      requestedAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(server.logged).not.toContain(pathOf(asked).split('/').at(-1));
  });

  it('shows a browser a page that is not framed, cached or leaked by referrer, with the forms to answer by', async () => {
    const asked = await waitingLink(server, 'Zuma & Sons');
    const answer = await openPage(server, asked);
    expect([answer.statusCode, answer.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
        vary: 'accept, accept-language',
      },
    ]);
    for (const shown of ['Zuma &amp; Sons', `@${asked.tagString}`, `@${asked.primary.tag}`, 'Lagos time']) {
      expect(answer.body).toContain(shown);
    }
    expect(answer.body).not.toMatch(/<script|\son\w+=|https?:|<img|<link/i);
  });

  it('does nothing, however often and with whatever query it is fetched', async () => {
    const asked = await waitingLink(server);
    for (const query of ['', '?answer=approve&by=code&code=123456', '?with=code', '?with=code&with=x']) {
      expect((await openPage(server, asked, query)).statusCode).toBe(200);
    }
    expect(await linkAndEvents(server, asked)).toMatchObject({ link: { status: 'PENDING' }, events: [] });
  });

  it('shows the outcome of the link, and no approvalUrl to its initiator any more', async () => {
    const asked = await waitingLink(server);
    await answerByPassword(server, asked, { answer: 'decline' });
    expect((await server.call('GET', pathOf(asked))).json().data).toMatchObject({ status: 'REJECTED' });
    expect((await openPage(server, asked)).body).toContain('This request was declined');
    const { link } = await linkAndEvents(server, asked);
    expect(link).not.toHaveProperty('approvalUrl');
    const revoked = await waitingLink(server);
    const { primary, id } = revoked;
    await server.call('DELETE', `/api/v1/tags/${primary.tag}/federation/${id}`, { headers: primary.headers });
    expect((await openPage(server, revoked)).body).toContain('This request has ended');
  });

  it('404: knows no link by its id, by a changed token, or by anything else', async () => {
    const asked = await waitingLink(server);
    const token = String(pathOf(asked).split('/').at(-1));
    const flipped = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const wrong of [asked.id, flipped, `${token}=`, token.slice(1), `B${token.slice(1)}`, '%00', '..%2fv1', 'é']) {
      expect(refusalOf(await server.call('GET', `/api/v1/federation/${wrong}`))).toEqual([404, 'LINK_NOT_FOUND']);
    }
    const page = await openPage(server, { approvalUrl: `${asked.approvalUrl}x` });
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('We do not know this link')]);
  });

  it('410: says that the link has expired, in the Envelope and on the page', async () => {
    const asked = await waitingLink(server);
    server.clock.advance(LINK_MS);
    expect(refusalOf(await server.call('GET', pathOf(asked)))).toEqual([410, 'LINK_EXPIRED']);
    const page = await openPage(server, asked);
    expect([page.statusCode, page.body]).toEqual([410, expect.stringContaining('This request is over')]);
  });

  it('an approvalUrl is shown only to the initiator of a link that waits for a customer', async () => {
    const ends = await newEnds(server);
    for (const method of ['OTP', 'CONSENT', 'ATTESTATION'] as const) {
      expect(await newLink(server, { ...(await newEnds(server)), primary: ends.primary }, method)).not.toHaveProperty(
        'approvalUrl',
      );
    }
    const { primary, tagString } = await waitingLink(server);
    const attested = await federate(server, ends.primary, ends.primary.tag, {
      secondaryTag: tagString,
      verificationMethod: 'ATTESTATION',
    });
    expect(attested.json().data.links[0]).not.toHaveProperty('approvalUrl');
    expect((await seeFederation(server, ends.stranger, primary.tag)).statusCode).toBe(404);
  });
});

describe('POST /federation/{token}', () => {
  const server = useApp();

  /** A link on which nothing was done. */
  const expectUntouched = async (asked: WaitingLink) =>
    expect(await linkAndEvents(server, asked)).toMatchObject({ link: { status: 'PENDING' }, events: [] });

  it('verifies the link on her approval, tells its initiator, and sends her to where it stands', async () => {
    const asked = await waitingLink(server);
    const answer = await answerByPassword(server, asked, { paytag: `@${asked.tagString.toUpperCase()}` });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, pathOf(asked)]);
    expect(await linkAndEvents(server, asked)).toMatchObject({
      link: { status: 'VERIFIED', verifiedBy: `CONSENT:${asked.tagString}@paytag` },
      events: ['FEDERATION_VERIFIED'],
    });
    expect((await openPage(server, asked)).body).toContain('The two tags are linked');
    expect(server.logged).not.toContain(PASSWORD);
  });

  it('takes a code of hers, and her decline', async () => {
    const asked = await waitingLink(server);
    await askForCode(server, asked);
    expect((await answerByCode(server, asked, ' 123 456 ', 'decline')).statusCode).toBe(303);
    expect(await linkAndEvents(server, asked)).toMatchObject({
      link: { status: 'REJECTED' },
      events: ['FEDERATION_REJECTED'],
    });
  });

  it('400: is a page that asks again for a form without an answer', async () => {
    const asked = await waitingLink(server);
    const answer = await postForm(server, pathOf(asked), { form: await sealOf(server, asked), by: 'code', code: OTP });
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('Something is missing')]);
    await expectUntouched(asked);
  });

  it('400: refuses a code that was sent for another link', async () => {
    const one = await waitingLink(server);
    const other = await linkTo(server, one.person);
    await askForCode(server, one);
    const answer = await answerByCode(server, other, OTP);
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('That is not the code')]);
    await expectUntouched(other);
    expect((await answerByCode(server, one, OTP)).statusCode).toBe(303);
  });

  it('401: says the same of a wrong password and of somebody else’s PayTag', async () => {
    const [asked, stranger] = [await waitingLink(server), await waitingLink(server)];
    for (const given of [{ password: 'wrong' }, { paytag: stranger.tagString }, { paytag: '\u0000' }]) {
      const answer = await answerByPassword(server, asked, given);
      expect([answer.statusCode, answer.body]).toEqual([401, expect.stringContaining('do not match')]);
    }
    await expectUntouched(asked);
  });

  it('403: refuses a form without our seal, with another link’s, and one that stood elsewhere, and spends no attempt', async () => {
    const [asked, other] = [await waitingLink(server), await waitingLink(server)];
    const form = await sealOf(server, asked);
    for (const seal of ['', 'x', await sealOf(server, other), `${form}x`]) {
      expect((await answerByPassword(server, asked, { form: seal })).statusCode).toBe(403);
    }
    const fields = { form, by: 'password', paytag: asked.tagString, password: PASSWORD, answer: 'approve' };
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      expect((await postForm(server, pathOf(asked), fields, headers)).statusCode).toBe(403);
    }
    await expectUntouched(asked);
    for (let wrong = 0; wrong < 4; wrong += 1) await answerByPassword(server, asked, { form, password: 'wrong' });
    expect((await answerByPassword(server, asked, { form })).statusCode).toBe(303);
  });

  describe('409 and 410', () => {
    it('refuses an answer to a link that was answered, and to one that is over', async () => {
      const [asked, late] = [await waitingLink(server), await waitingLink(server)];
      const form = await sealOf(server, asked);
      await answerByPassword(server, asked, { form });
      const again = await answerByPassword(server, asked, { form, answer: 'decline' });
      expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('The two tags are linked')]);
      const last = await sealOf(server, late);
      server.clock.advance(LINK_MS);
      const over = await answerByPassword(server, late, { form: last });
      expect([over.statusCode, over.body]).toEqual([410, expect.stringContaining('This request is over')]);
    });

    it('refuses an approval on a suspended tag, and takes her decline', async () => {
      const asked = await waitingLink(server);
      await setTagStatus(server, asked.tagString, 'SUSPENDED');
      const refused = await answerByPassword(server, asked);
      expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('This tag is suspended')]);
      expect((await answerByPassword(server, asked, { answer: 'decline' })).statusCode).toBe(303);
    });
  });

  it('429: looks at five of fifty wrong passwords that come at once, and the link has then failed', async () => {
    const asked = await waitingLink(server);
    const form = await sealOf(server, asked);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => answerByPassword(server, asked, { form, password: 'wrong' })),
    );
    const wrong = answers.filter(({ statusCode }) => statusCode === 401);
    expect(wrong).toHaveLength(5);
    for (const { statusCode } of answers) expect([401, 409, 429]).toContain(statusCode);
    expect((await answerByPassword(server, asked, { form })).statusCode).toBe(409);
    const page = (await openPage(server, asked)).body;
    expect(page).toContain('Too many attempts');
    expect(page).not.toContain('<form');
    expect(await linkAndEvents(server, asked)).toMatchObject({
      link: { status: 'FAILED' },
      events: ['FEDERATION_FAILED'],
    });
  });

  it('of fifty answers with one code at once one is taken', async () => {
    const asked = await waitingLink(server);
    await askForCode(server, asked);
    const form = await sealOf(server, asked);
    const fields = { form, by: 'code', code: OTP, answer: 'approve' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => postForm(server, pathOf(asked), fields)));
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
    expect(await linkAndEvents(server, asked)).toMatchObject({
      link: { status: 'VERIFIED' },
      events: ['FEDERATION_VERIFIED'],
    });
  });

  it('of fifty answers with her password at once, some approving and some declining, one is taken', async () => {
    const asked = await waitingLink(server);
    const form = await sealOf(server, asked);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        answerByPassword(server, asked, { form, answer: index % 2 === 0 ? 'approve' : 'decline' }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
    expect((await linkAndEvents(server, asked)).events).toHaveLength(1);
  });
});

describe('POST /federation/{token}/code', () => {
  const mailServer = useMailServer({ lacksStarttls: true });
  const server = useApp(() => ({
    EMAIL_PROVIDER: 'smtp',
    EMAIL_FROM: 'PayTag <no-reply@example.com>',
    EMAIL_SMTP_TLS: 'none',
    EMAIL_SMTP_URL: mailServer.url,
  }));

  it('shows where to enter the code, and does nothing to the link', async () => {
    const asked = await waitingLink(server);
    const answer = await askForCode(server, asked);
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, `${pathOf(asked)}?with=code`]);
    expect((await openPage(server, asked, '?with=code')).body).toMatch(/name="code"[^>]+autocomplete="one-time-code"/);
    expect(await linkAndEvents(server, asked)).toMatchObject({ link: { status: 'PENDING' }, events: [] });
  });

  describe('the message', () => {
    it('names the link it answers, so that the customer need not rely on the page', async () => {
      const asked = await waitingLink(server);
      await askForCode(server, asked, 'email');
      const { mail } = await mailServer.waitFor(asked.person.email);
      const linked = `@${asked.tagString} is linked to ${asked.primary.tag}@${asked.primary.namespace}.`;
      expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(
        `${OTP} is your PayTag code to approve or decline that ${linked}`,
      );
    });
  });

  describe('refused', () => {
    it('with 400: an unknown channel; with 403: a form that is not ours', async () => {
      const asked = await waitingLink(server);
      expect((await askForCode(server, asked, 'pigeon')).statusCode).toBe(400);
      const fields = { form: await sealOf(server, asked), channel: 'sms' };
      const elsewhere = await postForm(server, `${pathOf(asked)}/code`, fields, { 'sec-fetch-site': 'cross-site' });
      expect(elsewhere.statusCode).toBe(403);
    });

    it('with 410: an expired link; with 403: the form of another link', async () => {
      const asked = await waitingLink(server);
      const fields = { form: await sealOf(server, asked), channel: 'sms' };
      server.clock.advance(LINK_MS);
      expect((await postForm(server, `${pathOf(asked)}/code`, fields)).statusCode).toBe(410);
      expect((await postForm(server, '/api/v1/federation/x/code', fields)).statusCode).toBe(403);
    });

    it('with 429: a second code within a minute', async () => {
      const asked = await waitingLink(server);
      await askForCode(server, asked);
      const answer = await askForCode(server, asked);
      expect([answer.statusCode, answer.body]).toEqual([429, expect.stringContaining('A code was sent a moment ago')]);
    });
  });
});
