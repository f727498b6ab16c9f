import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import {
  DESK,
  lowestContrast,
  PHONE,
  press,
  shows,
  useChromium,
  useVisits,
  type Visit,
  warns,
} from '../support/chromium.ts';
import { after, answerConsent, claimsSeenBy, DAY_MS, eventsFor, newClaim, type TestClaim } from '../support/claims.ts';
import { customerWithPendingClaim, pathOf, subjectWithRequester } from '../support/consent-page.ts';
import { OTP, PASSWORD } from '../support/onboarding.ts';

const server = useApp();
const chromium = useChromium();
const visits = useVisits(server, chromium);
const { visiting } = visits;

const visitingClaim = (claim: TestClaim, act: (visit: Visit) => Promise<void>, given?: BrowserContextOptions) =>
  visiting(pathOf(claim), act, given);
const namesOf = async (sides: Parameters<typeof eventsFor>[1]) =>
  (await eventsFor(server, sides)).map(({ event }) => event);

describe('without JavaScript, in a browser', () => {
  it('a customer approves with their password, and a page left open accepts no second answer', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    await visitingClaim(claim, async ({ page, complaints }) => {
      await shows(page, 'Shop asks for your approval');
      const leftOpen = await page.context().newPage();
      await leftOpen.goto(page.url());
      await page.getByLabel('Your PayTag password').fill(PASSWORD);
      await press(page, 'Approve');
      await shows(page, 'The request of Shop is approved');
      expect(page.url()).toBe(`${visits.origin}${pathOf(claim)}`);
      await page.reload();
      await shows(page, 'The request of Shop is approved');
      await leftOpen.getByLabel('Your PayTag password').fill(PASSWORD);
      await press(leftOpen, 'Approve');
      await warns(leftOpen, 'This was answered already');
      expect(complaints).toEqual([]);
    });
    expect(await namesOf(requester)).toEqual(['CONSENT_CONFIRMED']);
    const fetched = await answerConsent(server, requester, claim.consentToken, 'approve');
    expect(fetched.json().data).toMatchObject({ consentId: claim.id, tag: claim.tagString });
  });

  it('a customer approves with a code, mistyped once, using only the keyboard', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    await visitingClaim(claim, async ({ page, complaints }) => {
      await page.getByLabel('WhatsApp').check();
      await press(page, 'Send me a code');
      await page.locator('#code:focus').waitFor(); // the field has the focus already
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await warns(page, 'That is not the code');
      await warns(page, '4 attempts are left');
      await page.getByLabel('Six-digit code').fill(OTP);
      await page.keyboard.press('Enter');
      await shows(page, 'The request of Shop is approved');
      expect(complaints).toEqual([]);
    });
    expect(await namesOf(requester)).toEqual(['CONSENT_CONFIRMED']);
  });

  it('a customer declines, and can decline what they approved', async () => {
    const [one, two] = [await customerWithPendingClaim(server), await customerWithPendingClaim(server)];
    await visitingClaim(one.claim, async ({ page }) => {
      await page.getByLabel('Your PayTag password').fill(PASSWORD);
      await press(page, 'Decline');
      await shows(page, 'This request was declined');
    });
    await visitingClaim(two.claim, async ({ page }) => {
      await page.getByLabel('Your PayTag password').fill(PASSWORD);
      await press(page, 'Approve');
      await page.getByText('Changed your mind?').click();
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await page.getByLabel('Your PayTag password').fill(PASSWORD);
      await press(page, 'Decline');
      await shows(page, 'This request was declined');
    });
    expect(await namesOf(one.requester)).toEqual(['CONSENT_REJECTED']);
    expect(await namesOf(two.requester)).toEqual(['CONSENT_CONFIRMED', 'CONSENT_REJECTED']);
  });

  it('five wrong passwords lock the request, and the right one is not looked at', async () => {
    const { claim, requester, tag } = await customerWithPendingClaim(server);
    await visitingClaim(claim, async ({ page, complaints }) => {
      for (const left of ['4 attempts are', '3 attempts are', '2 attempts are', 'One attempt is']) {
        await page.getByLabel('Your PayTag password').fill('wrong');
        await press(page, 'Approve');
        await warns(page, `${left} left`);
        expect(await page.title()).toContain('That PayTag and password do not match');
        expect(await page.locator(':focus').getAttribute('id')).toBe('problem');
        expect(await page.getByLabel('Your PayTag password').inputValue()).toBe('');
      }
      await page.getByLabel('Your PayTag password').fill('wrong');
      await press(page, 'Approve');
      await shows(page, 'Too many attempts');
      await page.reload();
      await shows(page, 'Too many attempts');
      await page.goto(`${visits.origin}${pathOf(claim)}`);
      await shows(page, 'Too many attempts');
      expect(await page.locator('form').count()).toBe(0);
      expect(complaints).toEqual([]);
    });
    expect(await claimsSeenBy(server, requester, tag)).toEqual([claim]);
  });

  it('a suspended tag says so and accepts a decline but no approval; a wrong password leads to its field', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    await server.owner.query(`update tags.tag set status = 'SUSPENDED' where handle = $1`, [claim.tagString]);
    await visitingClaim(claim, async ({ page }) => {
      expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('This tag is suspended');
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await page.getByLabel('Your PayTag password').fill('wrong');
      await press(page, 'Decline');
      await page.getByRole('alert').getByRole('link').click();
      await page.locator('#password:focus').waitFor();
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await shows(page, 'This request was declined');
    });
    expect(await namesOf(requester)).toEqual(['CONSENT_REJECTED']);
  });

  it('an expired link and an unknown one say so', async () => {
    const sides = await customerWithPendingClaim(server);
    await after(server, DAY_MS, sides);
    await visitingClaim(sides.claim, async ({ page }) => {
      expect(await page.locator('h1').innerText()).toBe('This request is over');
    });
    await visiting('/api/v1/consent/x', async ({ page }) => {
      expect(await page.locator('h1').innerText()).toBe('We do not know this link');
    });
  });
});

describe('in every state', () => {
  const longName = `${'Zuma'.repeat(20)} & Sons`;

  it.each([PHONE, DESK])(
    'fits $width pixels, loads nothing, and breaks no rule of its own policy',
    async (viewport) => {
      const { claim } = await customerWithPendingClaim(server, { name: longName, displayName: 'ش'.repeat(60) });
      const theirs = await newClaim(server, await subjectWithRequester(server));
      for (const path of [pathOf(claim), `${pathOf(claim)}?with=code`, pathOf(theirs), '/api/v1/consent/x']) {
        await visiting(
          path,
          async ({ page, complaints, requests }) => {
            const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
            expect(widths[0]).toBe(widths[1]);
            expect(await page.evaluate('document.styleSheets.length')).toBe(1);
            expect(await page.evaluate("getComputedStyle(document.querySelector('main')).borderTopWidth")).toBe('4px');
            expect(complaints).toEqual([]);
            expect(requests.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([`${visits.origin}${path}`]);
          },
          { viewport, javaScriptEnabled: true },
        );
      }
    },
  );

  it('has a label for every field, a name for every button, and contrast enough for each text', async () => {
    const { claim } = await customerWithPendingClaim(server);
    await visitingClaim(
      claim,
      async ({ page }) => {
        const labels = `[...document.querySelectorAll('input:not([type=hidden])')].map((field) => field.labels.length)`;
        expect(await page.evaluate(labels)).toEqual([1, 1, 1, 1, 1]);
        expect(await page.locator('html').getAttribute('lang')).toBe('en-NG');
        expect(await page.getByLabel('Your PayTag', { exact: true }).getAttribute('autocomplete')).toBe('username');
        expect(await page.getByLabel('Your PayTag password').getAttribute('autocomplete')).toBe('current-password');
        expect(await lowestContrast(page)).toBeGreaterThanOrEqual(4.5); // WCAG 2.2, 1.4.3
        const heights = await page.getByRole('button').evaluateAll((all) => all.map((one) => one.clientHeight));
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
      },
      { javaScriptEnabled: true },
    );
  });

  it('stays empty in a frame on another site', async () => {
    const { claim } = await customerWithPendingClaim(server);
    const framing = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${visits.origin}${pathOf(claim)}"></iframe>`);
    });
    await new Promise<void>((resolve) => framing.listen(0, '127.0.0.1', resolve));
    const context = await chromium.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${(framing.address() as AddressInfo).port}/`);
      expect(page.frames()).toHaveLength(2);
      expect(await page.frames()[1]?.locator('form, h1:has-text("approval")').count()).toBe(0);
    } finally {
      await context.close();
      framing.close();
    }
  });

  it('accepts no form embedded in another site’s page, even with our seal in it', async () => {
    const { claim, requester, tag } = await customerWithPendingClaim(server);
    let seal = '';
    await visitingClaim(claim, async ({ page }) => {
      seal = await page.locator('input[name=form]').first().inputValue();
    });
    const fields = { form: seal, by: 'password', paytag: tag, password: PASSWORD, answer: 'approve' };
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const context = await chromium.newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.setContent(
        `<form method="post" action="${visits.origin}${pathOf(claim)}">${inputs.join('')}<button>Win</button></form>`,
      );
      await press(page, 'Win');
      await warns(page, 'Nothing was done');
    } finally {
      await context.close();
    }
    expect(await claimsSeenBy(server, requester, tag)).toEqual([claim]);
    expect(await eventsFor(server, requester)).toEqual([]);
  });
});
