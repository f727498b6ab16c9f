import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
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
import { LINK_MS } from '../../support/federations.ts';
import { OTP, PASSWORD } from '../../support/onboarding.ts';
import { setTagStatus } from '../../support/switch.ts';

const server = useApp();

/** A link on which nothing was done. */
const expectUntouched = async (asked: WaitingLink) =>
  expect(await linkAndEvents(server, asked)).toMatchObject({ link: { status: 'PENDING' }, events: [] });

describe('303', () => {
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
});

describe('400', () => {
  it('is a page that asks again for a form without an answer', async () => {
    const asked = await waitingLink(server);
    const answer = await postForm(server, pathOf(asked), { form: await sealOf(server, asked), by: 'code', code: OTP });
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('Something is missing')]);
    await expectUntouched(asked);
  });

  it('refuses a code that was sent for another link', async () => {
    const one = await waitingLink(server);
    const other = await linkTo(server, one.person);
    await askForCode(server, one);
    const answer = await answerByCode(server, other, OTP);
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('That is not the code')]);
    await expectUntouched(other);
    expect((await answerByCode(server, one, OTP)).statusCode).toBe(303);
  });
});

describe('401', () => {
  it('says the same of a wrong password and of somebody else’s PayTag', async () => {
    const [asked, stranger] = [await waitingLink(server), await waitingLink(server)];
    for (const given of [{ password: 'wrong' }, { paytag: stranger.tagString }, { paytag: '\u0000' }]) {
      const answer = await answerByPassword(server, asked, given);
      expect([answer.statusCode, answer.body]).toEqual([401, expect.stringContaining('do not match')]);
    }
    await expectUntouched(asked);
  });
});

describe('403', () => {
  it('refuses a form without our seal, with another link’s, and one that stood elsewhere, and spends no attempt', async () => {
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

describe('429', () => {
  it('looks at five of fifty wrong passwords that come at once, and the link has then failed', async () => {
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
