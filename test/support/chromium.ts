import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { ensureInstalled } from './apt-install.ts';

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
const LAUNCH_TIMEOUT_MS = 240_000;

/** A real headless Chromium for this test file. Each context is somebody's browser of its own. */
export function useChromium(): { readonly browser: Browser } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = await ensureInstalled('chromium', 'install Chromium and put chromium on the PATH');
    browser = await chromium.launch({ executablePath, args: QUIET });
  }, LAUNCH_TIMEOUT_MS);
  afterAll(() => browser?.close());
  return {
    get browser() {
      if (browser === undefined) throw new Error('the browser runs from beforeAll to afterAll');
      return browser;
    },
  };
}
