import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { operatorOperations } from '#wire/operator-operations.ts';
import { type TestPartner, useApp } from '../support/app.ts';
import { useChromium } from '../support/chromium.ts';
import { endAll, partnerWithEvents } from '../support/deliveries.ts';
import { newOperator, type TestOperator } from '../support/operators.ts';
import { DESK, looks, press, shows, useVisits } from '../support/visits.ts';
import { loggedIn } from '../support/wallets.ts';
import { faultsOf, violationsOf } from './readable.ts';

const server = useApp();
const visits = useVisits(server, useChromium());

const operators = new Map<string, TestOperator>();
let partner: TestPartner;
let wallet: string;
beforeAll(async () => {
  for (const role of ['viewer', 'admin'] as const) operators.set(role, await newOperator(server, role));
  const made = await partnerWithEvents(server);
  partner = made.partner;
  await endAll(server.resources.pool, 'status 503');
  ({ wallet } = await loggedIn(server, partner));
});

/** Visits the console as somebody of a role, who has signed in. */
const signedIn = (
  role: string,
  act: (page: Page, complaints: string[]) => Promise<void>,
  look: BrowserContextOptions = {},
) =>
  visits.visiting(
    '/console',
    async ({ page, complaints, requests }) => {
      await shows(page, 'Sign in');
      await page.getByLabel('Token').fill(operators.get(role)?.token ?? '');
      await press(page, 'Sign in');
      await shows(page, 'Overview');
      await act(page, complaints);
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(visits.origin))).toEqual([]);
    },
    look,
  );

const open = async (page: Page, link: string) => {
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: link, exact: true }).first().click()]);
};

/** Where the console begins an operation. */
const beginOf = ({ operationId, method, path }: (typeof operatorOperations)[number]): string => {
  if (method !== 'GET') return `/console/actions/${operationId}`;
  return path.includes('{') ? `/console/open/${operationId}` : `/console${path}`;
};

it.each([false, true])(
  'an operator finds a partner, suspends it, and is told why it cannot be done twice; JavaScript: %s',
  async (javaScriptEnabled) => {
    await signedIn(
      'admin',
      async (page) => {
        await page.goto(`${visits.origin}/console/partners`);
        await open(page, 'Create partner');
        const name = `Made ${javaScriptEnabled ? 'with' : 'without'} scripts`;
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.getByLabel('Redirect URL').fill('https://made.example/');
        await press(page, 'Create partner');
        expect(await page.locator('code.secret').first().innerText()).toMatch(/^sk_sandbox_/);
        await open(page, 'Open it');
        await shows(page, name);
        const suspend = page.url();
        await open(page, 'Suspend');
        const form = page.url();
        await page.getByLabel('Reason').fill('a complaint');
        await press(page, 'Suspend partner');
        expect(page.url().split('?')[0]).toBe(suspend);
        expect(await page.getByRole('status').innerText()).toContain(`Partner suspended: ${name}`);
        await page.goto(form);
        await page.getByLabel('Reason').fill('once more');
        await press(page, 'Suspend partner');
        expect(await page.getByRole('alert').innerText()).toContain('PARTNER_STATUS_CONFLICT');
        expect(await page.getByLabel('Reason').inputValue()).toBe('once more');
        await press(page, 'Sign out');
        await shows(page, 'Sign in');
        await page.goto(suspend);
        await shows(page, 'Sign in');
      },
      { javaScriptEnabled, viewport: DESK },
    );
  },
);

it('a list is found and turned, and the field at the top reached by a key, without loading the page anew', async () => {
  await signedIn(
    'viewer',
    async (page) => {
      await page.goto(`${visits.origin}/console/deliveries`);
      await page.evaluate('window.stillHere = true');
      await page.getByText('Find some of them').click();
      await page.getByLabel('Status').selectOption('FAILED');
      await page.getByRole('button', { name: 'Find', exact: true }).last().click();
      await page.waitForURL(/status=FAILED/);
      await page.locator('#found').getByText('FAILED').first().waitFor();
      expect(await page.evaluate('window.stillHere')).toBe(true);
      await page.locator('h1').click();
      await page.keyboard.press('/');
      await page.keyboard.type(wallet);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      expect(new URL(page.url()).pathname).toBe(`/console/wallets/${wallet}`);
    },
    { javaScriptEnabled: true, viewport: DESK },
  );
});

it('every page that an operator may begin at fits a phone, and asks nobody else for anything', async () => {
  await signedIn('admin', async (page) => {
    await page.goto(`${visits.origin}/console/operations`);
    const offered = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main li > a')].map(({ pathname }) => pathname)`,
    );
    expect(offered.toSorted()).toEqual(operatorOperations.map(beginOf).toSorted());
    const wide = [];
    for (const path of offered) {
      await page.goto(`${visits.origin}${path}`);
      const fits = await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
      if (!fits || (await page.locator('h1').count()) !== 1) wide.push(path);
    }
    expect(wide).toEqual([]);
  });
});

it.each(looks)(
  'in $colorScheme at $viewport.width pixels anybody can read and use each kind of page, by eye or ear, finger or keyboard',
  async (look) => {
    const { items } = (await server.operate('GET', '/deliveries')).json<{ items: { id: string }[] }>();
    const pages = [
      '/console',
      '/console/operations',
      '/console/deliveries?status=FAILED',
      '/console/transactions',
      '/console/audit',
      '/console/open/getRailComparison',
      `/console/partners/${partner.id}`,
      `/console/deliveries/${items[0]?.id}`,
      '/console/ledger/check',
      '/console/actions/reportPayment',
      '/console/actions/importBankFile',
      '/console/actions/revealCustomer',
      `/console/actions/changeWallet?reference=${wallet}`,
      '/console/actions/closeTag?tag=ada',
      '/console/partners/nobody',
    ];
    await signedIn(
      'admin',
      async (page) => {
        for (const path of pages) {
          await page.goto(`${visits.origin}${path}`);
          expect([path, await faultsOf(page), await violationsOf(page)]).toEqual([path, [], []]);
        }
        await page.goto(`${visits.origin}/console/actions/fundFloat?id=${partner.id}`);
        await page.getByLabel('Amount').fill('1.234');
        await page.getByLabel('Reference').fill('wrong');
        await press(page, 'Fund float');
        expect(['refused', await faultsOf(page), await violationsOf(page)]).toEqual(['refused', [], []]);
      },
      { ...look, javaScriptEnabled: true },
    );
  },
);
