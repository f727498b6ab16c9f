import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import type { TestApp } from './app.ts';
import type { TestChromium } from './chromium.ts';

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 800 };
/** The colours do not depend on the width: two looks show both of each. */
export const looks = [
  { viewport: PHONE, colorScheme: 'light' },
  { viewport: DESK, colorScheme: 'dark' },
] as const;

export interface Visit {
  page: Page;
  /** What the browser complained of. */
  complaints: string[];
  /** Whatever it asked anybody for. */
  requests: string[];
}

/** Has the app listen, for browsers to visit. */
export function useVisits(server: TestApp, chromium: TestChromium) {
  let origin = '';
  beforeAll(async () => {
    origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  });

  /** Opens a page in a browser of its own, without JavaScript unless it is asked for, and closes it after. */
  async function visiting(
    path: string,
    act: (visit: Visit) => Promise<void>,
    given: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await chromium.newContext({ javaScriptEnabled: false, viewport: PHONE, ...given });
    try {
      const page = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
        if (!isStatus) complaints.push(message.text()); // a refusal is a page with a status, and the browser notes it
      });
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${origin}${path}`);
      await act({ page, complaints, requests });
    } finally {
      await context.close();
    }
  }

  return {
    visiting,
    get origin() {
      return origin;
    },
  };
}

export const shows = async (page: Page, heading: string) =>
  expect(await page.getByRole('heading', { level: 1, name: heading, exact: true }).innerText()).toBe(heading);
export const warns = async (page: Page, text: string) =>
  expect(await page.getByRole('alert').filter({ hasText: text }).innerText()).toContain(text);
/** Sends the form of a button, and resolves when the page is there that answers it. */
export async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await Promise.all([page.waitForEvent('load'), button.click()]);
}
