import type { TestProject } from 'vitest/node';
import { ensureInstalled, onPath } from './apt-install.ts';
import { provideOnce } from './provide-once.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the Chromium that opens our pages. */
    chromium: string;
  }
}

/**
 * The path of a Chromium that has no windows, for a page costs half the CPU there; or of one that has, where there is no other.
 *
 * @throws Error with what to do, where there is neither and none can be installed
 */
async function ensureChromium(): Promise<string> {
  try {
    return await ensureInstalled('chromium-headless-shell', 'install it, or Chromium, and put it on the PATH');
  } catch (cause) {
    const whole = onPath('chromium');
    if (whole === undefined) throw cause;
    return whole;
  }
}

/** A Chromium for tests to start. */
export default (project: TestProject): Promise<void> => provideOnce(project, 'chromium', ensureChromium);
