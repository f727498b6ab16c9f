import { expect, it } from 'vitest';
import { asMinor } from '#modules/ledger';
import { writeHtml } from '../../src/modules/statements/write-html.ts';
import { useApp } from '../support/app.ts';
import { DESK, lowestContrast, PHONE, useChromium, useVisits } from '../support/chromium.ts';
import { readPdf, statementOf, written } from '../support/statements.ts';
import { loggedIn } from '../support/wallets.ts';
import { violationsOf } from './readable.ts';

const server = useApp();
const chromium = useChromium();
const visits = useVisits(server, chromium);

const LARGEST = 999_999_999_999_999n;
const page = async (lines: number) => {
  const moves = Array.from({ length: lines }, (_, at) => ({
    amount: at % 2 === 0 ? LARGEST : -LARGEST,
    description: 'Bank transfer from CHUKWUEMEKA OLUWASEUN ADEBAYO-WILLIAMS',
    comment: 'W'.repeat(500),
    reference: 'R'.repeat(100),
    fee: asMinor(1_000n),
  }));
  const holder = 'Oluwatobiloba Chukwuemeka '.repeat(11);
  return (await written(writeHtml(statementOf(moves, { holder, partner: 'Bank'.repeat(50) })))).toString();
};

/** How far right the amounts of the table reach, and the page. */
const REACH = `[
  Math.max(...[...document.querySelectorAll('td.amount')].map((cell) => cell.getBoundingClientRect().right)),
  document.documentElement.scrollWidth,
]`;

it.each([PHONE, DESK])(
  'with the largest amounts and the longest texts there can be, shows every amount in $width pixels',
  async (viewport) => {
    const context = await chromium.newContext({ viewport });
    try {
      const tab = await context.newPage();
      await tab.setContent(await page(4));
      const [amounts = Number.NaN, whole] = await tab.evaluate<number[]>(REACH);
      expect(amounts).toBeLessThanOrEqual(viewport.width);
      expect(whole).toBe(viewport.width);
      expect(await lowestContrast(tab)).toBeGreaterThanOrEqual(4.5); // WCAG 2.2, 1.4.3
      expect(await tab.locator('h1').count()).toBe(1);
    } finally {
      await context.close();
    }
  },
);

it('in print shows the owner, the title and the page number on each sheet', async () => {
  const context = await chromium.newContext();
  try {
    const tab = await context.newPage();
    await tab.setContent(await page(30));
    const { pages, right } = await readPdf(await tab.pdf({ preferCSSPageSize: true }));
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((sheet, at) => {
      expect(sheet).toContain('9990000017 · 22 Oct 2026 to 21 Nov 2026, 14:05');
      expect(sheet).toContain(`Page ${at + 1} of ${pages.length}`);
    });
    expect(right).toBeLessThanOrEqual(595.28);
  } finally {
    await context.close();
  }
});

it('its link opens in a browser, which loads nothing else and reports no errors', async () => {
  const { headers } = await loggedIn(server, await server.newPartner({ float: 100 }), 50);
  const asked = await server.call('POST', '/v2/sso/transaction/statement?format=html', { headers });
  const path = new URL(asked.json<{ url: string }>().url).pathname;
  await visits.visiting(
    path,
    async ({ page: tab, complaints, requests }) => {
      expect(await tab.getByRole('heading', { level: 1 }).innerText()).toBe('Statement of account');
      expect(await tab.getByRole('row', { name: 'Closing balance' }).innerText()).toContain('50.00');
      expect(await tab.evaluate("getComputedStyle(document.querySelector('.brand')).fontSize")).toBe('26px');
      expect(await violationsOf(tab)).toEqual([]);
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([`${visits.origin}${path}`]);
    },
    { javaScriptEnabled: true },
  );
});
