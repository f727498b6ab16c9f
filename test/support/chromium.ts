import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { PATIENCE_MS } from './eventually.ts';

/** Nothing of the machine, and no word to anybody but our servers. */
const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real headless Chromium for this test file. Each context is somebody's browser of its own. */
export function useChromium(): { readonly browser: Browser } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: inject('chromium'), args: QUIET, timeout: PATIENCE_MS });
  });
  afterAll(() => browser?.close());
  return {
    get browser() {
      if (browser === undefined) throw new Error('the browser runs from beforeAll to afterAll');
      return browser;
    },
  };
}
