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

/** Notes what a page asks for and complains of, until the end of the visit. */
function watch(page: Page): Visit & { end(): void } {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
    if (!isStatus) complaints.push(message.text()); // a refusal is a page with a status, and the browser notes it
  });
  page.on('request', (request) => requests.push(request.url()));
  return { page, complaints, requests, end: () => void page.removeAllListeners() };
}

/** Leaves a page as a new one is: nothing stored or open beside it, and of the look it was made with. */
async function forget(page: Page, { viewport, colorScheme }: BrowserContextOptions): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
  await page.setViewportSize(viewport ?? PHONE);
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
}

/** Has the app listen, for browsers to visit. */
export function useVisits(server: TestApp, chromium: TestChromium) {
  let origin = '';
  beforeAll(async () => {
    origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  });

  /** Pages that nobody looks at, by how their browser is. */
  const idle = new Map<string, Page>();

  /**
   * Opens a page, without JavaScript unless it is asked for, in a browser of its own: no visit finds what another one left.
   * What visits alike one after another share is the page, for a new one costs as much as a visit.
   */
  async function visiting(
    path: string,
    act: (visit: Visit) => Promise<void>,
    given: BrowserContextOptions = {},
  ): Promise<void> {
    const options = { javaScriptEnabled: false, viewport: PHONE, ...given };
    const alike = JSON.stringify(options);
    const page = idle.get(alike) ?? (await (await chromium.newContext(options)).newPage());
    idle.delete(alike);
    const visit = watch(page);
    try {
      await page.goto(`${origin}${path}`);
      await act(visit);
    } catch (error) {
      await page.context().close();
      throw error;
    }
    visit.end();
    await forget(page, options);
    idle.set(alike, page);
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
