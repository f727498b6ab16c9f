import type { Drain } from '#http/drain.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DatabaseTrouble } from '#lib/database-trouble.ts';
import { DomainError } from '#lib/domain-error.ts';

interface Deps {
  drain: Drain;
  databaseTrouble: () => Promise<DatabaseTrouble | undefined>;
}

/** Answers 200 when requests can be served: the database answers, what is written there is kept, and this process is not about to end. */
export function getHealthReady(app: ZodApp, { databaseTrouble, drain }: Deps): void {
  app.get('/health/ready', { logLevel: 'warn' }, async () => {
    if (drain.hasBegun) throw new DomainError('STORE_UNAVAILABLE', 'closing', { retryAfterS: 1 });
    if ((await databaseTrouble()) !== undefined) {
      throw new DomainError('STORE_UNAVAILABLE', 'the database serves no requests', { retryAfterS: 1 });
    }
    return { status: 'ready' };
  });
}
