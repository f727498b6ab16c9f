import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
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
    browser = await chromium.launch({ executablePath: inject('chromium'), args: QUIET, timeout: PATIENCE_MS });
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
