import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { pauseReceiver } from '#modules/webhooks';
import { type TestPartner, useApp } from '../support/app.ts';
import { DESK, PHONE, press, shows, useChromium, useVisits } from '../support/chromium.ts';
import { endAll, newEndpoint, partnerWithEvents } from '../support/deliveries.ts';
import { portalPath } from '../support/portal.ts';
import { moveMoney } from '../support/wallets.ts';
import { faultsOf, violationsOf } from './readable.ts';

const server = useApp();
const visits = useVisits(server, useChromium());
const LONG = 'http://127.0.0.1:9/a/very/long/path/of/somebody/who/likes/long/paths/and/never/breaks/them';

let partner: TestPartner;
beforeAll(async () => {
  const made = await partnerWithEvents(server);
  partner = made.partner;
  const { id } = partner;
  const books = await newEndpoint(server, partner, {
    url: LONG,
    description: 'Bookkeeping of Acme & Sons',
    events: ['wallet.credited', 'endpoint.paused'],
    headers: { authorization: 'Bearer theirs' },
    rate: 5,
    ordered: true,
  });
  await endAll(server.resources.pool, 'status 503');
  for (let n = 1; n <= 22; n += 1) {
    await moveMoney(server, partner, made.wallet, 'credit', { amount: n, reference: `pay-${n}` });
  }
  await endAll(server.resources.pool, null, 8);
  await pauseReceiver(server.resources, {
    actor: 'operator',
    by: 'OPERATOR',
    ownerId: id,
    endpointId: books,
    reason: 'a storm of 500s since Sunday',
  });
});

const opened = (act: (page: Page, complaints: string[]) => Promise<void>, look: BrowserContextOptions = {}) =>
  portalPath(server, partner).then((path) =>
    visits.visiting(
      path,
      async ({ page, complaints }) => {
        await press(page, 'Open');
        await act(page, complaints);
      },
      look,
    ),
  );
const follow = async (page: Page, link: string) => {
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: link, exact: true }).first().click()]);
};

it('a person finds a delivery that failed, sees why, and sends it again, without JavaScript', async () => {
  await opened(async (page, complaints) => {
    expect(new URL(page.url()).pathname).toBe('/webhooks');
    await shows(page, 'Deliveries');
    expect(await page.locator('.rows > li').count()).toBe(20);
    await follow(page, 'Older ones');
    expect(new URL(page.url()).searchParams.get('cursor')).not.toBeNull();
    await page.getByText('Find deliveries').click();
    await page.getByLabel('Status').selectOption('Failed');
    await press(page, 'Find');
    await follow(page, 'wallet.credited');
    await shows(page, 'wallet.credited');
    expect(await page.getByText('status 503').count()).toBeGreaterThan(0);
    await press(page, 'Send again');
    expect(await page.getByRole('status').innerText()).toContain('It is sent again');
    await follow(page, 'Endpoints');
    const test = page.getByRole('button', { name: 'Send a test event', exact: true }).first();
    await Promise.all([page.waitForEvent('load'), test.click()]);
    await shows(page, 'webhook.test');
    await press(page, 'Close');
    await shows(page, 'The pages are closed');
    await page.goto(`${visits.origin}/webhooks`);
    await shows(page, 'This link does not work any more');
    expect(complaints).toEqual([]);
  });
});

const looks = [PHONE, DESK].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

it.each(looks)(
  'in $colorScheme at $viewport.width pixels anybody can read and use each page, by eye or ear, finger or keyboard',
  async (look) => {
    await opened(
      async (page, complaints) => {
        const check = async (where: string) => {
          expect([where, await faultsOf(page), await violationsOf(page)]).toEqual([where, [], []]);
        };
        await check('deliveries');
        await page.goto(`${visits.origin}/webhooks?status=FAILED&error=status+503`);
        await check('filtered');
        await follow(page, 'wallet.credited');
        await page
          .getByText('What your server answered')
          .or(page.getByText('The bytes that are signed'))
          .first()
          .click();
        await check('delivery');
        await page.goto(`${visits.origin}/webhooks/endpoints`);
        await check('endpoints');
        await follow(page, 'Verify');
        await check('verify');
        await page.goto(`${visits.origin}/webhooks?event=nothing`);
        await check('nothing found');
        expect(complaints).toEqual([]);
      },
      { ...look, javaScriptEnabled: true },
    );
  },
);
