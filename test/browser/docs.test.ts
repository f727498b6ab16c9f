import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { zumaEnv } from '../support/brand/brand.ts';
import { looks, shows, useChromium, useVisits } from '../support/chromium.ts';
import { readQr } from '../support/emv.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { newTag } from '../support/tags.ts';
import { violationsOf } from './readable.ts';

const server = useApp(zumaEnv);
const chromium = useChromium();
const { visiting } = useVisits(server, chromium);
describe.each(looks)('$colorScheme, $viewport.width pixels wide', ({ viewport, colorScheme }) => {
  const given = { viewport, colorScheme, javaScriptEnabled: true };

  it.each(['/', '/nothing', '/statement/verify', '/docs', '/docs/errors', '/docs/sandbox', '/docs/webhooks'])(
    '%s can be read by anybody',
    async (path) => {
      await visiting(
        path,
        async ({ page, complaints }) => {
          expect(await violationsOf(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
          expect(complaints).toEqual([]);
        },
        given,
      );
    },
  );

  it('the page of a PayTag can be read by anybody', async () => {
    const tag = await newTag(server, await newApplication(server));
    await visiting(
      `/p/${tag}`,
      async ({ page, complaints }) => {
        expect(await violationsOf(page)).toEqual([]);
        const picture = await page.getByRole('img', { name: `QR code of @${tag}` }).screenshot();
        expect(await page.getByRole('img', { name: 'Zuma', exact: false }).first().isVisible()).toBe(true);
        expect(readQr(picture.toString('base64'))).toMatch(new RegExp(`/p/${tag}$`));
        expect(complaints).toEqual([]);
      },
      given,
    );
  });
});

describe('a reference', () => {
  it.each([
    ['partner', { ...looks[1], colorScheme: 'light' }, 'PayTag partner and SSO API', 'Create a customer with PayTag'],
    [
      'switch',
      { ...looks[0], colorScheme: 'dark' },
      'PayTag switch and application identity',
      'Register an application',
    ],
  ] as const)(
    'of %s is drawn under our policy, asks nobody but us, can be read by anybody, and leads back to the guides',
    async (api, look, title, operation) => {
      await visiting(
        `/docs/reference/${api}`,
        async ({ page, complaints, requests }) => {
          await page.getByRole('heading', { level: 1, name: title }).waitFor();
          await page.getByText(operation).filter({ visible: true }).first().waitFor();
          await expect.poll(() => violationsOf(page), { timeout: PATIENCE_MS }).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.viewport.width);
          const { origin } = new URL(page.url());
          expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
          expect(complaints.filter((text) => !text.startsWith('@scalar/api-reference'))).toEqual([]);
          await page.getByRole('link', { name: 'Guides', exact: true }).click();
          await shows(page, 'PayTag documentation');
        },
        { ...look, javaScriptEnabled: true },
      );
    },
  );
});

it('a person finds the guide of the partners from the front page', async () => {
  await visiting('/', async ({ page }) => {
    await page.getByRole('link', { name: 'Documentation', exact: true }).click();
    await page.getByRole('link', { name: 'Partners', exact: true }).click();
    await shows(page, 'Partners');
    expect(new URL(page.url()).pathname).toBe('/docs/partners');
  });
});
