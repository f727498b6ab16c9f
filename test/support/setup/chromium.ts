import type { TestProject } from 'vitest/node';
import { ensureInstalled } from './apt-install.ts';
import { provideOnce } from './provide-once.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the Chromium that opens our pages. */
    chromium: string;
  }
}

/** A Chromium for tests to start. */
export default (project: TestProject): Promise<void> =>
  provideOnce(project, 'chromium', () => ensureInstalled('chromium', 'install Chromium and put chromium on the PATH'));
