import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { TestApp } from './app.ts';
import { listed } from './cases.ts';
import { PATIENCE_MS } from './eventually.ts';

/** Nothing of the machine, and no word to anybody but our servers. */
const QUIET = listed`
  --headless | --no-sandbox | --disable-gpu | --disable-quic | --no-first-run
  --disable-background-networking | --disable-component-update | --disable-sync
`;

/** A real headless Chromium. Each context is somebody's browser of its own. */
export interface TestChromium {
  newContext(given?: BrowserContextOptions): Promise<BrowserContext>;
}

/** One for this test file. */
export function useChromium(): TestChromium {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: inject('chromium'), args: QUIET, timeout: PATIENCE_MS });
  });
  afterAll(() => browser?.close());
  return {
    async newContext(given) {
      if (browser === undefined) throw new Error('the browser runs from beforeAll to afterAll');
      const context = await browser.newContext(given);
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    },
  };
}

/** Runs in the page: the ratio of each text's luminance to that of what is behind it, as WCAG 2.2 defines both. */
const RATIOS = `
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    if (element === null) return 'rgb(255, 255, 255)';
    const { backgroundColor } = getComputedStyle(element);
    return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
  };
  [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
    .map((element) => {
      const [dark, light] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    })
`;

/** The lowest contrast of any text of a page with what is behind it. */
export async function lowestContrast(page: Page): Promise<number> {
  const ratios = await page.evaluate<number[]>(RATIOS);
  if (ratios.length === 0) throw new Error('a page without text has no contrast');
  return Math.min(...ratios);
}

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
