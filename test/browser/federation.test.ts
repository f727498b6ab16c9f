import { expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { DESK, lowestContrast, PHONE, press, shows, useChromium, useVisits, warns } from '../support/chromium.ts';
import { linkAndEvents, pathOf, waitingLink } from '../support/consent-page.ts';
import { OTP, PASSWORD } from '../support/onboarding.ts';

const server = useApp();
const visits = useVisits(server, useChromium());

it('without JavaScript a customer links their PayTag with their password, and a page left open accepts no second answer', async () => {
  const asked = await waitingLink(server, 'Zuma Market');
  await visits.visiting(pathOf(asked), async ({ page, complaints }) => {
    await shows(page, 'Zuma Market asks to link your PayTag');
    const leftOpen = await page.context().newPage();
    await leftOpen.goto(page.url());
    await page.getByLabel('Your PayTag password').fill('wrong');
    await press(page, 'Approve');
    await warns(page, '4 attempts are left');
    await page.getByLabel('Your PayTag password').fill(PASSWORD);
    await press(page, 'Approve');
    await shows(page, 'The two tags are linked');
    await page.reload();
    await shows(page, 'The two tags are linked');
    await leftOpen.getByLabel('Your PayTag password').fill(PASSWORD);
    await press(leftOpen, 'Decline');
    await shows(leftOpen, 'The two tags are linked');
    expect(complaints).toEqual([]);
  });
  expect(await linkAndEvents(server, asked)).toMatchObject({
    link: { status: 'VERIFIED' },
    events: ['FEDERATION_VERIFIED'],
  });
});

it('a customer declines with a code, without JavaScript', async () => {
  const asked = await waitingLink(server);
  await visits.visiting(pathOf(asked), async ({ page }) => {
    await press(page, 'Send me a code');
    await page.getByLabel('Six-digit code').fill(OTP);
    await press(page, 'Decline');
    await shows(page, 'This request was declined');
  });
  expect(await linkAndEvents(server, asked)).toMatchObject({
    link: { status: 'REJECTED' },
    events: ['FEDERATION_REJECTED'],
  });
});

it.each([PHONE, DESK])('fits $width pixels, loads nothing, and can be read', async (viewport) => {
  const asked = await waitingLink(server, `${'Zuma'.repeat(20)} & Sons`);
  for (const path of [pathOf(asked), `${pathOf(asked)}?with=code`, '/api/v1/federation/x']) {
    await visits.visiting(
      path,
      async ({ page, complaints, requests }) => {
        const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
        expect(widths[0]).toBe(widths[1]);
        expect(await lowestContrast(page)).toBeGreaterThanOrEqual(4.5); // WCAG 2.2, 1.4.3
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([`${visits.origin}${path}`]);
      },
      { viewport, javaScriptEnabled: true },
    );
  }
});
