import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { type Role, roles } from '#modules/operators';
import { operatorOperations } from '#wire/operator-operations.ts';
import { signedIn as consoleOf, type TestConsole } from '../http/console/console.ts';
import { useApp } from '../support/app.ts';
import { DESK, PHONE, press, shows, useChromium } from '../support/chromium.ts';
import { customerIdOf } from '../support/customers.ts';
import { endAll, partnerWithEvents } from '../support/deliveries.ts';
import { inDays, openDispute } from '../support/disputes.ts';
import { loggedIn, moveMoney } from '../support/wallets.ts';
import { follow, isDesigned, pagesOf, partsOf, useConsoleVisits } from './console-walk.ts';
import { faultsInText, faultsOf, violationsOf } from './readable.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });
const chromium = useChromium();
const console = useConsoleVisits(server, chromium);

const consoles = new Map<Role, TestConsole>();
let wallet: string;
/** Things that somebody comes to by typing, not by a link. */
let typed: string[];
beforeAll(async () => {
  for (const role of roles) consoles.set(role, await consoleOf(server, console.operator(role).token));
  const { partner } = await partnerWithEvents(server);
  await endAll(server.resources.pool, 'status 503');
  const ada = await loggedIn(server, partner, 50);
  wallet = ada.wallet;
  for (const reference of ['disputed', 'mistaken']) {
    await moveMoney(server, partner, wallet, 'credit', { amount: 20, reference });
  }
  await openDispute(server, partner.id, { amount: 20, transactionReference: 'disputed', respondBy: inDays(server, 7) });
  await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 1, reason: 'court order' });
  await server.operate('POST', `/partners/${partner.id}/float`, {
    amount: 5_000,
    reference: 'waits',
    reason: 'paid in',
  });
  typed = [`/console/customers/${await customerIdOf(server, ada.paytag)}`, `/console/receivers/${partner.id}`];
});

it.each([false, true])(
  'an operator finds a partner, suspends it, and is told why it cannot be done twice; JavaScript: %s',
  async (javaScriptEnabled) => {
    await console.signedIn(
      'admin',
      async (page) => {
        await console.open(page, '/partners');
        await follow(page, 'Create partner');
        const name = `Made ${javaScriptEnabled ? 'with' : 'without'} scripts`;
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.getByLabel('Redirect URL').fill('https://made.example/');
        await press(page, 'Create partner');
        expect(await page.locator('code.secret').first().innerText()).toMatch(/^sk_sandbox_/);
        await follow(page, 'Open it');
        await shows(page, name);
        const suspend = page.url();
        await follow(page, 'Suspend');
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
      { javaScriptEnabled },
    );
  },
);

it('a list is found and turned, and the field at the top reached and left by a key, without loading the page anew', async () => {
  await console.signedIn(
    'viewer',
    async (page) => {
      await console.open(page, '/deliveries');
      await page.evaluate('window.stillHere = true');
      await page.getByText('Find some of them').click();
      await page.getByLabel('Status').selectOption('FAILED');
      await page.getByRole('button', { name: 'Find', exact: true }).last().click();
      await page.waitForURL(/status=FAILED/);
      await page.locator('#found').getByText('FAILED').first().waitFor();
      expect(await page.evaluate('window.stillHere')).toBe(true);
      await page.getByLabel('Event', { exact: true }).focus();
      await page.keyboard.press('Escape');
      expect(await page.locator('details.filter').getAttribute('open')).toBeNull();
      expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
      await page.locator('h1').click();
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.id')).toBe('q');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
      await page.keyboard.press('/');
      await page.keyboard.type(wallet);
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      expect(new URL(page.url()).pathname).toBe(`/console/wallets/${wallet}`);
    },
    { javaScriptEnabled: true },
  );
});

const opened = async (look: { viewport: typeof PHONE; colorScheme: 'light' | 'dark' }): Promise<Page> =>
  (await chromium.newContext(look)).newPage();

it('every page of every role can be read and used, by eye or ear, finger or keyboard, on a phone and at a desk, in light and dark', async () => {
  const [phone, desk] = await Promise.all([
    opened({ viewport: PHONE, colorScheme: 'light' }),
    opened({ viewport: DESK, colorScheme: 'dark' }),
  ]);
  const known = new Set<string>();
  const wrong: unknown[] = [];
  const looks = { phone: 0, desk: 0 };
  for (const [role, browser] of [...consoles].toReversed()) {
    for (const [path, body] of await pagesOf(browser, role, typed)) {
      const parts = partsOf(body);
      const isNew = !parts.isSubsetOf(known) || (role === 'admin' && isDesigned(path));
      // An admin’s pages have all that the others' have. What depends on the text of a page is seen on the narrowest screen.
      if (role !== 'admin' && !isNew) continue;
      for (const part of parts) known.add(part);
      looks.phone += 1;
      await phone.setContent(body);
      const faults = await (isNew ? faultsOf(phone) : faultsInText(phone));
      if (isNew) {
        looks.desk += 1;
        await desk.setContent(body);
        faults.push(...(await faultsOf(desk)), ...(await violationsOf(phone)));
      }
      if (faults.length > 0) wrong.push([role, path, ...faults]);
    }
  }
  expect(wrong).toEqual([]);
  expect(looks.phone).toBeGreaterThan(operatorOperations.length);
  expect(looks.desk).toBeGreaterThan(20);
});
