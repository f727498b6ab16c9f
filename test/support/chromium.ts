import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
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
