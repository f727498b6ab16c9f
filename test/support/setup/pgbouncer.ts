import type { TestProject } from 'vitest/node';
import { ensureInstalled } from './apt-install.ts';
import { provideOnce } from './provide-once.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the pgbouncer binary. */
    pgbouncer: string;
  }
}

/** Where Debian puts servers, which the PATH of an ordinary user lacks. */
const SBIN = '/usr/sbin';

/** A pgbouncer for tests to start. */
export default (project: TestProject): Promise<void> =>
  provideOnce(project, 'pgbouncer', () => {
    process.env['PATH'] = `${process.env['PATH']}:${SBIN}`;
    return ensureInstalled('pgbouncer', 'install PgBouncer and put pgbouncer on the PATH');
  });
