import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../support/app.ts';
import { press, shows, useChromium } from '../support/chromium.ts';
import { customerIdOf } from '../support/customers.ts';
import { endAll } from '../support/deliveries.ts';
import { inDays } from '../support/disputes.ts';
import { auditOf } from '../support/operators.ts';
import { unknownPayout } from '../support/payouts.ts';
import { kycWallet, type LoggedIn, loggedIn, moveMoney, waitingPayment } from '../support/wallets.ts';
import { follow, useConsoleVisits } from './console-walk.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });
const console = useConsoleVisits(server, useChromium());
const scripts = { javaScriptEnabled: true };

let partner: TestPartner;
let ada: LoggedIn;
let customer: string;
beforeAll(async () => {
  partner = await server.newPartner({ float: 500, webhookUrl: 'http://127.0.0.1:9/hooks' });
  ada = await loggedIn(server, partner, 50);
  customer = await customerIdOf(server, ada.paytag);
});

/** What the page that a form leads to says was done, and what else stands there. */
const said = async (page: Page, what: string) => expect(await page.getByRole('status').innerText()).toContain(what);
const tells = async (page: Page, what: RegExp | string) =>
  expect(await page.getByRole('main').innerText()).toMatch(what);
const because = (page: Page, reason: string) => page.getByLabel('Reason').fill(reason);
const mean = (page: Page) => page.getByLabel('I mean it').check();
const inRow = async (page: Page, row: string, link: string) => {
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('row', { name: row }).getByRole('link', { name: link, exact: true }).click(),
  ]);
};

it.each([true, false])(
  'an operator keeps money of a wallet and lets it go, gives a payment back, and freezes its owner; JavaScript: %s',
  async (javaScriptEnabled) => {
    const mistaken = `mistaken-${javaScriptEnabled}`;
    await moveMoney(server, partner, ada.wallet, 'credit', { amount: 20, reference: mistaken });
    const act = async (page: Page) => {
      await console.open(page, `/wallets/${ada.wallet}`);
      await follow(page, 'Create lien');
      await page.getByLabel('Amount').fill('5');
      await because(page, 'a court order');
      await press(page, 'Create lien');
      await said(page, 'Lien created: Ada Obi');
      await inRow(page, 'a court order', 'Lift');
      await because(page, 'withdrawn');
      await press(page, 'Lift lien');
      await said(page, 'Lien lifted: Ada Obi');
      await tells(page, /Liens\s+None in force/);
      await inRow(page, mistaken, 'Refund');
      expect(await page.getByRole('textbox', { name: 'Partner' }).inputValue()).toBe(partner.id);
      await page.getByLabel('Amount').fill('7');
      await because(page, 'too much');
      await mean(page);
      await press(page, 'Refund transaction');
      await said(page, `Transaction refunded: Transaction ${mistaken}`);
      await console.open(page, `/wallets/${ada.wallet}`);
      await tells(page, /−₦7\.00/);
      await console.open(page, `/customers/${customer}`);
      await follow(page, 'Freeze');
      await because(page, 'a stolen phone');
      await press(page, 'Freeze customer');
      await said(page, 'Customer frozen');
      await follow(page, 'Release');
      await because(page, 'it was found');
      await press(page, 'Release customer');
      await said(page, 'Customer released');
    };
    await console.signedIn('finance', act, { javaScriptEnabled });
  },
);

it('of two operators one asks and the other decides, and nobody decides on what they asked for', async () => {
  const ask = async (page: Page) => {
    for (const reference of ['agreed', 'refused']) {
      await console.open(page, `/partners/${partner.id}`);
      await follow(page, 'Fund float');
      await page.getByLabel('Amount').fill('5,000');
      await page.getByLabel('Reference').fill(reference);
      await because(page, reference);
      await press(page, 'Fund float');
      await said(page, 'Needs another operator’s approval: float funded');
      await tells(page, 'You made this request: another operator decides it.');
    }
    await press(page, 'Sign out');
    await shows(page, 'Sign in');
    await console.open(page, `/partners/${partner.id}`);
    await shows(page, 'Sign in');
  };
  const { name } = (await server.operate('GET', `/partners/${partner.id}`)).json<{ name: string }>();
  const decide = async (page: Page) => {
    const waiting = (reference: string) =>
      page
        .locator('#waiting > section')
        .filter({ hasText: `Why${reference}` })
        .first();
    const begin = async (reference: string, decision: string) => {
      await console.open(page, '/approvals');
      const link = waiting(reference).getByRole('link', { name: decision, exact: true });
      await Promise.all([page.waitForEvent('load'), link.click()]);
      await tells(page, `₦5,000.00 will be added to the float of ${name}, under the reference ${reference}`);
    };
    await begin('agreed', 'Approve');
    await mean(page);
    await press(page, 'Approve request');
    await said(page, 'Request approved: Fund float');
    await begin('refused', 'Reject');
    await because(page, 'never agreed');
    await press(page, 'Reject request');
    await said(page, 'Request rejected: Fund float');
  };
  await console.signedIn('finance', ask, scripts);
  await console.signedIn('admin', decide, scripts);
  const { items } = (await server.operate('GET', `/transactions?partnerId=${partner.id}&type=FLOAT_FUNDING`)).json();
  const references = (items as { Reference: string }[]).map(({ Reference }) => Reference);
  expect(references).toContain('agreed');
  expect(references).not.toContain('refused');
});

it('an operator sends one delivery again, then many after seeing how many, and pauses who receives them', async () => {
  await moveMoney(server, partner, ada.wallet, 'credit', { amount: 1, reference: 'told' });
  await endAll(server.resources.pool, 'status 503');
  await console.signedIn(
    'support',
    async (page) => {
      await console.open(page, '/deliveries?status=FAILED');
      await Promise.all([page.waitForEvent('load'), page.getByRole('table').getByRole('link').first().click()]);
      await follow(page, 'Resend');
      await press(page, 'Resend delivery');
      await said(page, 'Delivery sent again: ');
      await console.open(page, '/deliveries');
      await follow(page, 'Replay many');
      await page.getByRole('textbox', { name: 'Partner' }).fill(partner.id);
      await press(page, 'Count first');
      await said(page, 'Nothing was done yet.');
      expect(await page.getByRole('status').innerText()).toMatch(/^\d+ deliver(?:y matches|ies match)\n/);
      await mean(page);
      await press(page, 'Replay many');
      await said(page, 'Deliveries replayed');
      await console.open(page, `/receivers/${partner.id}`);
      await follow(page, 'Pause');
      await because(page, 'they asked for it');
      await press(page, 'Pause receiver');
      await said(page, 'Receiver paused');
      await follow(page, 'Resume');
      await because(page, 'they are back');
      await press(page, 'Resume receiver');
      await said(page, 'Receiver resumed');
    },
    scripts,
  );
  const waiting = await server.operate('GET', `/deliveries?status=PENDING&partnerId=${partner.id}`);
  expect(waiting.json<{ count: number }>().count).toBeGreaterThan(1);
});

it('an operator credits what waits in suspense, asks after a payout, and marks it with another one', async () => {
  const { id, wallet } = await waitingPayment(server, partner, 40);
  const target = await kycWallet(server, partner);
  const payout = await unknownPayout(server);
  await console.signedIn(
    'finance',
    async (page) => {
      await console.open(page, `/actions/resolveSuspense?id=${id}&to=wallet`);
      await page.getByLabel('Wallet reference').fill(target);
      await because(page, 'meant for their other one');
      await mean(page);
      await press(page, 'Resolve suspense');
      await said(page, 'Suspense resolved');
      await console.open(page, `/payouts/${payout.id}`);
      await follow(page, 'Verify');
      await press(page, 'Verify payout');
      await said(page, 'Payout verified');
      await follow(page, 'Mark');
      await page.getByLabel('Outcome').selectOption('FAILED');
      await because(page, 'the bank says it never came');
      await mean(page);
      await press(page, 'Mark payout');
      await said(page, 'Needs another operator’s approval: payout marked');
    },
    scripts,
  );
  await console.signedIn(
    'admin',
    async (page) => {
      await console.open(page, '/approvals');
      await tells(page, /This payout will be marked as FAILED/);
      await follow(page, 'Approve');
      await mean(page);
      await press(page, 'Approve request');
      await said(page, 'Request approved: Mark payout');
      await console.open(page, `/payouts/${payout.id}`);
      await tells(page, /FAILED/i);
    },
    scripts,
  );
  expect((await server.operate('GET', `/wallets/${target}`)).json()).toMatchObject({ totalAmount: 40 });
  expect((await server.operate('GET', `/wallets/${wallet.reference}`)).json()).toMatchObject({ totalAmount: 0 });
});

it('an operator opens a dispute with what was said of it, and sees a customer opened, which is on record', async () => {
  await console.signedIn(
    'support',
    async (page) => {
      await moveMoney(server, partner, ada.wallet, 'credit', { amount: 9, reference: 'contested' });
      await console.open(page, `/wallets/${ada.wallet}`);
      await follow(page, 'contested');
      await follow(page, 'Dispute');
      await because(page, 'the payer says it was not they');
      const [first, second] = [1, 2].map((number) => page.getByRole('group', { name: `Evidence ${number}` }));
      await first?.getByLabel('Text').fill('letter of 3 March, with\ntwo pages');
      await first?.getByLabel('Link').fill('https://files.example/letter.pdf');
      await second?.getByLabel('Text').fill('they rang, too');
      await page.getByLabel('Respond by').fill(inDays(server, 7).slice(0, 16));
      await press(page, 'Open dispute');
      await said(page, 'Dispute opened');
      await tells(page, /letter of 3 March, with/);
      await tells(page, /they rang, too/);
      await console.open(page, `/customers/${customer}`);
      await follow(page, 'Reveal');
      await because(page, 'they ask what we know');
      await press(page, 'Reveal customer');
      await tells(page, /\+234\d{10}/);
    },
    scripts,
  );
  expect((await auditOf(server, customer)).at(-1)).toMatchObject({
    actor: console.operator('support').actor,
    action: 'customer.reveal',
    reason: 'they ask what we know',
  });
});
