import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import {
  askForCode,
  linkAndEvents,
  openPage,
  pathOf,
  postForm,
  sealOf,
  waitingLink,
} from '../../support/consent-page.ts';
import { LINK_MS } from '../../support/federations.ts';
import { useMailServer } from '../../support/mail-server.ts';
import { OTP } from '../../support/onboarding.ts';

const mailServer = useMailServer({ lacksStarttls: true });
const server = useApp(() => ({
  EMAIL_PROVIDER: 'smtp',
  EMAIL_FROM: 'PayTag <no-reply@example.com>',
  EMAIL_SMTP_TLS: 'none',
  EMAIL_SMTP_URL: mailServer.url,
}));

describe('303', () => {
  it('shows where to enter the code, and does nothing to the link', async () => {
    const asked = await waitingLink(server);
    const answer = await askForCode(server, asked);
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, `${pathOf(asked)}?with=code`]);
    expect((await openPage(server, asked, '?with=code')).body).toMatch(/name="code"[^>]+autocomplete="one-time-code"/);
    expect(await linkAndEvents(server, asked)).toMatchObject({ link: { status: 'PENDING' }, events: [] });
  });
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
