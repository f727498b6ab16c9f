import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { looks, PHONE, press, useChromium, useVisits } from '../support/chromium.ts';
import { after, answerConsent, DAY_MS, endClaim, newClaim } from '../support/claims.ts';
import {
  answerByPassword,
  askForCode,
  customerWithPendingClaim,
  type OnPage,
  pathOf,
  subjectWithRequester,
  waitingLink,
} from '../support/consent-page.ts';
import { PASSWORD } from '../support/onboarding.ts';
import { faultsOf, violationsOf } from './readable.ts';

const server = useApp();
const visits = useVisits(server, useChromium());

/** Where a page is, and what is done on it until it is in its state. */
interface State {
  path: string;
  act?: (page: Page) => Promise<unknown>;
}
const at = (asked: OnPage, query = ''): State => ({ path: `${pathOf(asked)}${query}` });
const waiting = async () => (await customerWithPendingClaim(server, { name: 'Zuma Market' })).claim;
const tryPassword = (password: string) => async (page: Page) => {
  await page.getByLabel('Your PayTag password').fill(password);
  await press(page, 'Approve');
};
const tryCode = async (page: Page) => {
  await page.getByLabel('Six-digit code').fill('000000');
  await press(page, 'Approve');
};
const suspend = (handle: string) =>
  server.owner.query(`update tags.tag set status = 'SUSPENDED' where handle = $1`, [handle]);
const fiveTimesWrong = async (asked: Parameters<typeof answerByPassword>[1]) => {
  for (let attempt = 0; attempt < 5; attempt++) await answerByPassword(server, asked, { password: 'wrong' });
};

/** Every state that a page of approval can be in, and its heading. */
const states: [what: string, heading: string, make: () => Promise<State>][] = [
  ['a request that waits', 'Zuma Market asks for your approval', async () => at(await waiting())],
  [
    'a wrong password',
    'Zuma Market asks for your approval',
    async () => ({ ...at(await waiting()), act: tryPassword('wrong') }),
  ],
  ['a code asked for', 'Zuma Market asks for your approval', async () => at(await waiting(), '?with=code')],
  [
    'a wrong code',
    'Zuma Market asks for your approval',
    async () => ({ ...at(await waiting(), '?with=code'), act: tryCode }),
  ],
  [
    'a code asked for twice',
    'Zuma Market asks for your approval',
    async () => {
      const claim = await waiting();
      await askForCode(server, claim);
      return { ...at(claim), act: (page) => press(page, 'Send me a code') };
    },
  ],
  [
    'an owner whom an application knows',
    'Shop asks for your approval',
    async () => at(await newClaim(server, await subjectWithRequester(server, { email: 'owner@bank.example' }))),
  ],
  [
    'an owner without an address',
    'Shop asks for your approval',
    async () => at(await newClaim(server, await subjectWithRequester(server))),
  ],
  [
    'a suspended tag',
    'Zuma Market asks for your approval',
    async () => {
      const claim = await waiting();
      await suspend(claim.tagString);
      return at(claim);
    },
  ],
  [
    'a tag suspended meanwhile',
    'Zuma Market asks for your approval',
    async () => {
      const claim = await waiting();
      const act = async (page: Page) => {
        await suspend(claim.tagString);
        await tryPassword(PASSWORD)(page);
      };
      return { ...at(claim), act };
    },
  ],
  [
    'an approval given',
    'The request of Zuma Market is approved',
    async () => {
      const claim = await waiting();
      await answerByPassword(server, claim);
      return { ...at(claim), act: (page) => page.getByText('Changed your mind?').click() };
    },
  ],
  [
    'an approval fetched',
    'This request was approved',
    async () => {
      const { claim, requester } = await customerWithPendingClaim(server);
      await answerByPassword(server, claim);
      await answerConsent(server, requester, claim.consentToken, 'approve');
      return at(claim);
    },
  ],
  [
    'an approval that ended',
    'This approval has ended',
    async () => {
      const sides = await subjectWithRequester(server);
      const claim = await newClaim(server, sides);
      await answerConsent(server, sides.owner, claim.consentToken, 'approve');
      await endClaim(server, sides.owner, claim, 'revoke');
      return at(claim);
    },
  ],
  [
    'a request declined',
    'This request was declined',
    async () => {
      const claim = await waiting();
      await answerByPassword(server, claim, { answer: 'decline' });
      return at(claim);
    },
  ],
  [
    'a request taken back',
    'This request was taken back',
    async () => {
      const { claim, requester } = await customerWithPendingClaim(server);
      await endClaim(server, requester, claim, 'cancel');
      return at(claim);
    },
  ],
  [
    'too many attempts',
    'Too many attempts',
    async () => {
      const claim = await waiting();
      await fiveTimesWrong(claim);
      return at(claim);
    },
  ],
  [
    'a request that is over',
    'This request is over',
    async () => {
      const sides = await customerWithPendingClaim(server);
      await after(server, DAY_MS, sides);
      return at(sides.claim);
    },
  ],
  ['an unknown request', 'We do not know this link', async () => ({ path: '/api/v1/consent/x' })],
  [
    'a link that waits',
    'Zuma Market asks to link your PayTag',
    async () => at(await waitingLink(server, 'Zuma Market')),
  ],
  [
    'a link and a wrong password',
    'Zuma Market asks to link your PayTag',
    async () => ({ ...at(await waitingLink(server, 'Zuma Market')), act: tryPassword('wrong') }),
  ],
  [
    'a link to a suspended PayTag',
    'Zuma Market asks to link your PayTag',
    async () => {
      const link = await waitingLink(server, 'Zuma Market');
      await suspend(link.tagString);
      return at(link);
    },
  ],
  [
    'a link agreed on',
    'The two tags are linked',
    async () => {
      const link = await waitingLink(server);
      await answerByPassword(server, link);
      return at(link);
    },
  ],
  [
    'a link declined',
    'This request was declined',
    async () => {
      const link = await waitingLink(server);
      await answerByPassword(server, link, { answer: 'decline' });
      return at(link);
    },
  ],
  [
    'a link with too many attempts',
    'Too many attempts',
    async () => {
      const link = await waitingLink(server);
      await fiveTimesWrong(link);
      return at(link);
    },
  ],
  ['an unknown link', 'We do not know this link', async () => ({ path: '/api/v1/federation/x' })],
  ['an unknown statement', 'We do not know this link', async () => ({ path: '/statements/x' })],
];

function expectKeptToItself(answer: Response): void {
  expect(answer.headers()).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
}

it.each(states)(
  '%s: anybody can read and use the page, by eye or ear, finger or keyboard, on a phone and at a desk',
  async (_what, heading, make) => {
    const { path, act } = await make();
    const javaScriptEnabled = true; // for the questions that we ask of the page: it has no script
    await visits.visiting(
      path,
      async ({ page, complaints }) => {
        const answers: Response[] = [];
        page.on('response', (answer) => answers.push(answer));
        await page.reload();
        await act?.(page);
        for (const { viewport, colorScheme } of looks) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          expect(await faultsOf(page)).toEqual([]);
        }
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.locator('h1').innerText()).toBe(heading);
        for (const answer of answers.filter((one) => !one.url().endsWith('/favicon.ico'))) expectKeptToItself(answer);
        expect(complaints).toEqual([]);
      },
      { viewport: PHONE, javaScriptEnabled },
    );
  },
);
